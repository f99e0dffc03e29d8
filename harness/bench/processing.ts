/** How far speedups depend on the virtual clock's one constant: what a program takes on average for what wakes it. */
import { markdownTable } from "markdown-table";
import { defaultProcessingMs } from "../../substrate/choose.ts";
import { judgedLoads } from "../judge/judged-loads.ts";
import { comparable } from "../plan/comparable.ts";
import { readExperiment } from "../plan/experiment.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { readRun } from "../record/records.ts";
import { summaryOf } from "../report/tables/condition-summary.ts";
import { countLoads } from "../report/tables/counted.ts";
import { contrast, pairsOf } from "../report/tables/scenario.ts";
import { type RunOptions, requestOf } from "../run/request.ts";
import { carryOut } from "../run/run.ts";

const sweptMs = [0, 0.05, defaultProcessingMs, 0.2];

/** Speedups of a run, by comparison and the option's condition. */
export type Speedups = ReadonlyMap<string, number>;

/** Makes a run with each constant, and prints how far each speedup moves from that with the default. */
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

/** @param runs with each of `sweptMs` */
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
