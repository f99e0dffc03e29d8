/** Whether saved files alone show that a run's loads were made under the conditions their rows name. */

import { type Condition, type FlatCondition, flatten, type LoadRecord } from "../../schema/model.ts";
import type { Calibration } from "../lane/calibration.ts";
import type { Environment } from "../lane/environment.ts";
import { select } from "../plan/blocks.ts";
import { conditionsOf } from "../plan/experiment.ts";
import { expectationOf } from "../plan/registries.ts";
import type { Manifest } from "../record/run-folder.ts";
import { enoughOf } from "../statistics/until.ts";
import { contradictions, flags } from "./contradictions.ts";
import { lastMeasured, linkHistory } from "./links.ts";
import { type PooledLoss, pooledLoss } from "./pooled-loss.ts";

/** A run as its folder holds it. */
export interface SavedRun {
  manifest: Manifest;
  loads: LoadRecord[];
  lanes: Environment[];
  calibrations: Calibration[];
  /** Lines of loads.jsonl that are no record. */
  tornLines: number;
}

export type GoodLoad = LoadRecord & { ok: true };

export interface Verdict {
  load: GoodLoad;
  /** Why nobody can vouch for it; empty for a load that is what its row says. */
  doubts: string[];
  /** Of those, what the link was. */
  linkDoubts: string[];
  /** It is what its row says, but not of the network alone. */
  flags: string[];
}

export interface Verification {
  verdicts: Verdict[];
  failed: number;
  /** Planned loads without a good one. */
  missing: number;
  tornLines: number;
  losses: PooledLoss[];
  /** The last measurement of each channel. */
  links: Calibration[];
}

export function verify(run: SavedRun): Verification {
  const { manifest, loads, tornLines } = run;
  const planned = new Map(
    select(conditionsOf(manifest.experiment, manifest.registries.channels), manifest.only).map((condition) => [
      condition.id,
      condition,
    ]),
  );
  const drift = linkHistory(run.calibrations);
  const seen = new Map<string, GoodLoad>(); // block and condition -> the load that counts
  const good = loads.filter((load): load is GoodLoad => load.ok);
  const verdicts = good.map((load): Verdict => {
    const condition = planned.get(load.condition);
    const key = `${load.block} ${load.condition}`;
    const inPlan = condition && load.block <= manifest.loads;
    const doubts = [
      ...(inPlan ? [] : ["it is not in the plan"]),
      ...(seen.has(key) ? ["its block has this condition already"] : []),
      ...(condition ? conditionDoubts(load, condition, manifest) : []),
      ...laneDoubts(load, run),
    ];
    if (inPlan && !seen.has(key)) seen.set(key, load);
    const linkDoubts = drift(load);
    return { load, doubts: [...doubts, ...linkDoubts], linkDoubts, flags: flags(load.evidence) };
  });
  const vouched = verdicts.filter(({ doubts }) => doubts.length === 0).map(({ load }) => load);
  return {
    verdicts,
    failed: loads.length - good.length,
    missing: missingLoads([...seen.values()], planned.keys(), manifest),
    tornLines,
    losses: pooledLoss(vouched),
    links: lastMeasured(run.calibrations),
  };
}

/** Planned loads that are not there, but for conditions that needed no more. */
function missingLoads(made: GoodLoad[], conditions: Iterable<string>, manifest: Manifest): number {
  const enough = enoughOf(manifest);
  return [...conditions].reduce((sum, condition) => {
    const timesMs = made.flatMap((load) => (load.condition === condition ? [load.pageLoadMs] : []));
    return enough(timesMs) ? sum : sum + manifest.loads - timesMs.length;
  }, 0);
}

/** Its own evidence, and what its row says of the condition, against the manifest. */
function conditionDoubts(load: GoodLoad, condition: Condition, { registries }: Manifest): string[] {
  const flat: FlatCondition = flatten(condition);
  const differing = (Object.keys(flat) as (keyof FlatCondition)[]).filter((key) => load[key] !== flat[key]);
  return [
    ...differing.map((key) => `its row says ${key} ${load[key]}, the manifest ${flat[key]}`),
    ...(load.pageLoadMs === load.evidence.timing.loadEventStart
      ? []
      : [
          `its page load time is ${load.pageLoadMs} ms, the browser's timing says ${load.evidence.timing.loadEventStart}`,
        ]),
    ...contradictions(load.pageLoadMs, load.evidence, expectationOf(condition, registries)),
  ];
}

/** A lane must have said before what it runs on. */
function laneDoubts({ startedAt }: GoodLoad, { lanes, manifest }: SavedRun): string[] {
  const lane = lanes
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
    .findLast((environment) => environment.startedAt <= startedAt);
  if (!lane) return ["no lane says what it ran on"];
  const { clock, sysctls } = lane;
  return [
    ...(clock === manifest.clock ? [] : [`its lane's clock is ${clock}, the run's ${manifest.clock}`]),
    ...(sysctls.tcp_no_metrics_save === "1"
      ? []
      : [`tcp_no_metrics_save was ${sysctls.tcp_no_metrics_save} on the client`]),
  ];
}
