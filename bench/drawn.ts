import { gateComparison } from "../harness/gate/gate-experiment.ts";
import type { GateLoad } from "../harness/gate/sample.ts";
import { GateLoads } from "../harness/gate/sides.ts";
import { readToEnd, recordedLoads } from "../harness/judge/run/judged-loads.ts";
import { contrast } from "../harness/plan/comparisons.ts";
import { conditionsOfRun } from "../harness/record/manifest.ts";
import type { SavedRun } from "../harness/record/records.ts";
import { pairsOf } from "../harness/tables/scenario.ts";
import type { Condition } from "../schema/plan.ts";

/** A load before and a load after the page's change. If the run has no pairs, both are the same load. */
export type LoadPair = readonly [before: GateLoad, after: GateLoad];

/** A page over one link, and the pairs of loads from which simulated gates choose at random. */
export interface Drawn {
  condition: Condition;
  pairs: readonly LoadPair[];
  /** Whether the pairs come from a gate's run. In such a run, both loads of a pair have the same packet losses. */
  areAsMade: boolean;
  timeoutMs: number;
}

/** Returns a run's conditions that have at least `enough` pairs of loads. */
export function drawnFrom(run: SavedRun, enough: number): Drawn[] {
  const counting = new GateLoads();
  readToEnd(recordedLoads(run), (load) => counting.add(load));
  const { experiment, timeoutSeconds } = run.manifest;
  const sides = conditionsOfRun(run.manifest).map((condition) => ({
    condition,
    loads: counting.of(condition.id).map(withoutRequests),
  }));
  const made = experiment.comparisons[gateComparison];
  const areAsMade = made !== undefined;
  const all = made
    ? pairsOf(contrast(experiment.baseline, made), sides).flatMap(({ baseline, option }) =>
        baseline && option ? [{ condition: option.condition, pairs: inPairs(baseline.loads, option.loads) }] : [],
      )
    : sides.map(({ condition, loads }) => ({ condition, pairs: loads.map((load): LoadPair => [load, load]) }));
  return all
    .filter(({ pairs }) => pairs.length >= enough)
    .map((one) => ({ ...one, areAsMade, timeoutMs: timeoutSeconds * 1000 }));
}

function inPairs(before: readonly GateLoad[], after: readonly GateLoad[]): LoadPair[] {
  const byBlock = new Map(after.map((load) => [load.block, load]));
  return before.flatMap((load) => {
    const other = byBlock.get(load.block);
    return other ? [[load, other] as const] : [];
  });
}

/** Leaves out the requests, because counting them takes long. Only budgets need them, and simulated gates have no budgets. */
const withoutRequests = ({ evidence, ...load }: GateLoad): GateLoad => ({
  ...load,
  evidence: { ...evidence, connections: [] },
});

/** Changes both loads of a pair. If they are the same load, they stay the same load. */
export function changed([before, after]: LoadPair, change: (load: GateLoad) => GateLoad): LoadPair {
  const first = change(before);
  return [first, before === after ? first : change(after)];
}
