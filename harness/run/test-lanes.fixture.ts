/** For tests: lanes without hosts. A test decides how each load ends. */
import type { Cause } from "../../schema/failure.ts";
import type { LaneMessage, LoadChunk } from "../../schema/lane-messages.ts";
import { linkName } from "../../schema/link.ts";
import type { PlannedLoad, SharedLosses } from "../../schema/plan.ts";
import { type LanePolicy, realLanes } from "../../substrate/substrate.ts";
import { planBlocks } from "../plan/blocks.ts";
import { type ChunkSizes, chunkSizesOf } from "../plan/chunk-sizes.ts";
import { conditions as conditionsOf, registries } from "../tables/synthetic-loads.fixture.ts";
import type { Recorded, RecordedAttempt } from "./recorded-chunks.ts";
import { LaneError } from "./run-events.ts";
import { runPlan } from "./runner.ts";

export const conditions = conditionsOf({ initcwnd: [3, 10] });
export const plan = planBlocks(conditions, 2, 1);
export const onLinks = (link: string[], page = "A") => conditionsOf({ initcwnd: [3, 10], link, page: [page] });

/** The part of a load's line that the runner reads. */
export interface Made extends RecordedAttempt {
  ok: boolean;
  pageLoadMs?: number;
  reason?: string;
  cause?: Cause;
  evidence?: object;
}
export const record = ({ block, attempt, condition }: PlannedLoad, ok = true): Made => ({
  condition: condition.id,
  block,
  attempt,
  chunk: 0,
  broken: false,
  ok,
  observed: ok ? "time" : null,
  ...(ok ? { pageLoadMs: 1 } : { reason: "it broke" }),
});

/** Decides how a load ends. @param made how many loads were made before */
type Behaviour = (load: PlannedLoad, made: number) => Made | "die";

/** Runs a plan on lanes whose loads end as `behaviour` decides, and whose links take no time to measure. */
export async function runWith(
  behaviour: Behaviour,
  options: {
    policy?: LanePolicy;
    sizes?: ChunkSizes;
    plan?: PlannedLoad[];
    recorded?: Partial<Recorded>;
    abortAfter?: number;
    /** How many lanes with loads die before they send their description. */
    stillborn?: number;
    sharesLosses?: SharedLosses;
  } = {},
) {
  const kept: Made[] = [];
  const lines = { loads: kept, lanes: [] as number[], calibrations: [] as Recorded["calibrations"][number][] };
  const chunks: LoadChunk[] = [];
  const broken: string[] = [];
  const controller = new AbortController();
  let stillborn = options.stillborn ?? 0;
  async function* startLane(chunk: LoadChunk): AsyncIterable<LaneMessage> {
    chunks.push(chunk);
    if (chunk.loads.length && stillborn-- > 0) throw new LaneError("the lane did not start");
    for (const [i, { link }] of chunk.calibrate.entries()) {
      const calibration = { calibration: `${chunk.number}.${i}`, attempt: 1, link: linkName(link), final: true };
      yield { kind: "calibration", calibration } as never;
    }
    yield { kind: "lane", lane: { lane: chunk.number } } as never;
    for (const load of chunk.loads) {
      const made = behaviour(load, kept.length);
      if (made === "die") throw new LaneError("the lane died");
      yield { kind: "load", load: { ...made, lane: chunk.number } } as never;
    }
  }
  let minutes = 0;
  let left = options.abortAfter ?? Infinity;
  const missing = await runPlan({
    now: () => {
      minutes += 11;
      return minutes * 60_000;
    },
    timeOf: () => new Date(0),
    policy: options.policy ?? realLanes,
    sizes: options.sizes ?? chunkSizesOf({}),
    plan: options.plan ?? plan,
    sharesLosses: options.sharesLosses,
    seed: 1,
    recorded: { loads: [], lanes: [], calibrations: [], ...options.recorded },
    timeoutMs: 1000,
    startLane,
    signal: controller.signal,
    report: (event) => void (event.kind === "lane broke" && broken.push(event.message)),
    registries,
    keep(message) {
      if (message.kind === "load") {
        const { load } = message;
        kept.push({
          observed: null,
          ...load,
          chunk: load.lane,
          broken: !load.ok && load.cause === "lane ended",
        } as never);
      } else if (message.kind === "lane") lines.lanes.push(message.lane.lane);
      else if (message.kind === "calibration") lines.calibrations.push(message.calibration);
      if (--left === 0) controller.abort();
    },
  });
  return { missing, kept, chunks, broken, lines };
}

export const keys = (loads: Made[]) => loads.map(({ block, condition }) => `${block} ${condition}`).sort();
