/** Measures how much speedups depend on the virtual clock's one constant, a program's average time to react to an event. */
import { markdownTable } from "markdown-table";
import { judgedLoads } from "../harness/judge/run/judged-loads.ts";
import { comparable } from "../harness/plan/comparable.ts";
import { contrast } from "../harness/plan/comparisons.ts";
import { readExperiment } from "../harness/plan/experiment.ts";
import { conditionsOfRun } from "../harness/record/manifest.ts";
import { readRun } from "../harness/record/records.ts";
import { type RunOptions, requestOf } from "../harness/run/request.ts";
import { carryOut } from "../harness/run/run.ts";
import { summaryOf } from "../harness/tables/condition-summary.ts";
import { countLoads } from "../harness/tables/counted.ts";
import { pairsOf } from "../harness/tables/scenario.ts";
import { defaultProcessingMs } from "../substrate/choose.ts";

const sweptMs = [0, 0.05, defaultProcessingMs, 0.2];

/** "Comparison's title: id of the option's condition" -> speedup. */
export type Speedups = ReadonlyMap<string, number>;

/** Makes a run with each value of the constant, and prints how far each speedup moves from its value with the default. */
export async function benchProcessing(name: string, { loads, only }: { loads: number; only: string[] }): Promise<void> {
  const runs: Speedups[] = [];
  for (const processing of sweptMs) {
    const options: RunOptions = { loads, only, with: [], processing, clock: "virtual", traces: "none" };
    const request = await requestOf(name, readExperiment(name), options);
    const startProgress = () => ({ event() {}, print: console.error, stop() {} });
    const folder = await carryOut(request, { print: console.error, startProgress });
    runs.push(speedupsIn(folder));
  }
  console.log(sweepMarkdown(runs));
}

function speedupsIn(folder: string): Speedups {
  const run = readRun(folder);
  const { experiment, loads } = run.manifest;
  const conditions = conditionsOfRun(run.manifest);
  const { samples } = countLoads(judgedLoads(run), { conditions, loadsPerCondition: loads, metric: experiment.metric });
  const { comparisons } = comparable(experiment, conditions);
  return new Map(
    Object.values(comparisons).flatMap((one) =>
      pairsOf(contrast(experiment.baseline, one), samples).flatMap(({ baseline, option }): [string, number][] => {
        const [before, after] = [baseline, option].map((sample) => sample && summaryOf(sample).median);
        return before && after ? [[`${one.title}: ${option!.condition.id}`, before / after]] : [];
      }),
    ),
  );
}

/** @param runs the speedups of the runs, in the order of `sweptMs` */
export function sweepMarkdown(runs: readonly Speedups[]): string {
  const header = ["speedup", ...sweptMs.map((ms) => `${ms} ms`), "moves by up to"];
  const usual = runs[sweptMs.indexOf(defaultProcessingMs)]!;
  const rows = [...usual].map(([speedup, standard]) => {
    const values = runs.map((run) => run.get(speedup) ?? Number.NaN);
    const most = Math.max(...values.map((value) => Math.abs(value / standard - 1)));
    return [speedup, ...values.map((value) => value.toFixed(3)), `${(100 * most).toFixed(1)}%`];
  });
  return markdownTable([header, ...rows], { align: ["l", ...header.slice(1).map(() => "r")] });
}
