/** Learns which requests each condition's page makes. If a lane ends early at a page, another lane learns the remaining pages. */
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { LaneMessage, Learnt } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import { LaneError } from "./run-events.ts";
import { inLanes, slicesOf } from "./share-work.ts";

/** The requests of a condition's page, or why they could not be learnt. */
export type Learning = { condition: Condition } & ({ learnt: Learnt } | { problem: string });

/** If this many lanes in a row end at their first page, the cause is the machine, not the pages. */
const mostBroken = 3;

/**
 * @param start starts a lane that sends a message for each condition, in the order of the conditions
 * @param each how many conditions one lane gets. This number is fixed, so that results do not depend on the number of lanes
 * @param learned called with each result as soon as it is known, in any order
 * @returns the results in the order of the conditions @throws LabError if `mostBroken` lanes in a row learn nothing
 */
export async function learnAll(
  conditions: readonly Condition[],
  start: (conditions: Condition[], lane: number, signal: AbortSignal) => AsyncIterable<LaneMessage>,
  given: { each: number; atOnce: number; signal: AbortSignal; learned?: (learning: Learning) => void },
): Promise<Learning[]> {
  const found = new Map<Condition, Learning>();
  await inLanes(slicesOf([...conditions], given.each), given, async (some, lane, signal) => {
    for await (const learning of learnEach(some, (left) => start(left, lane, signal), signal)) {
      found.set(learning.condition, learning);
      given.learned?.(learning);
    }
  });
  return conditions.flatMap((condition) => found.get(condition) ?? []);
}

async function* learnEach(
  conditions: readonly Condition[],
  start: (conditions: Condition[]) => AsyncIterable<LaneMessage>,
  signal: AbortSignal,
): AsyncGenerator<Learning> {
  let broken = 0;
  for (let left = [...conditions]; left.length > 0; ) {
    try {
      for await (const learning of learnt(start(left), left)) {
        broken = 0;
        left = left.filter((one) => one !== learning.condition);
        yield learning;
      }
      if (signal.aborted) return;
      if (left.length > 0) throw new LaneError("a lane ended before it had learnt the requests of all pages");
    } catch (error) {
      if (!(error instanceof LaneError)) throw error;
      if (signal.aborted) return;
      if (++broken === mostBroken) throw new LabError(ExitCode.failed, error.message);
      const { page } = left[0]!.values;
      const problem = `page ${page} did not load: ${error.message}`;
      // The page is not tried over other protocols: it would end a lane each time, and a lane may take minutes to end.
      for (const condition of left.filter(({ values }) => values.page === page)) yield { condition, problem };
      left = left.filter(({ values }) => values.page !== page);
    }
  }
}

async function* learnt(lane: AsyncIterable<LaneMessage>, conditions: readonly Condition[]): AsyncGenerator<Learning> {
  const next = conditions.values();
  for await (const message of lane) {
    if (message.kind !== "learned" && message.kind !== "not learned") continue;
    const { value: condition } = next.next();
    if (!condition) throw new LaneError("a lane learnt more pages than it was given");
    yield message.kind === "learned" ? { condition, learnt: message.learnt } : { condition, problem: message.reason };
  }
}
