/** Learns the requests of conditions. If a page ends its lane, another lane learns the remaining pages. */
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { LaneMessage, Learnt } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import { LaneError } from "./run-events.ts";
import { inLanes, slicesOf } from "./share-work.ts";

/** What was learnt about a condition's page, or why nothing was learnt. */
export type Learning = { condition: Condition } & ({ learnt: Learnt } | { problem: string });

/** If this many lanes in a row end at their first page, the cause is the machine, not the pages. */
const mostBroken = 3;

/**
 * @param start starts a lane that sends a message for each condition, in their order
 * @param each how many one lane gets, so that what it learns does not depend on the number of lanes
 * @param atOnce how many lanes may run at the same time
 * @param learned called with each one at once, in any order
 * @returns what was learnt, in the order of the conditions, so that it is the same for any number of lanes
 * @throws LabError if lanes do not work at all
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

/** One after the other. */
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
      if (left.length > 0) throw new LaneError("a lane ended before it had found out what all pages request");
    } catch (error) {
      if (!(error instanceof LaneError)) throw error;
      if (signal.aborted) return;
      if (++broken === mostBroken) throw new LabError(ExitCode.failed, error.message);
      const { page } = left[0]!.values;
      const problem = `page ${page} did not load: ${error.message}`;
      // Over other protocols the page would end its lane as well, which may take minutes each time.
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
