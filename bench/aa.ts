import { judgedLoads } from "../harness/judge/run/judged-loads.ts";
import { conditionsOfRun } from "../harness/record/manifest.ts";
import { readRun } from "../harness/record/records.ts";
import { median } from "../harness/statistics/quantile.ts";
import { enoughBlocks } from "../harness/statistics/resample.ts";
import { collectNotes, kindOf, type Noted } from "../harness/tables/compare/noted.ts";
import { countLoads } from "../harness/tables/counted.ts";
import { usageError } from "../schema/errors.ts";
import { aaGroups } from "./same-against-same.ts";
import { aaMarkdown } from "./same-against-same-text.ts";

/** @throws LabError (usage) if the blocks cannot be divided into two halves that are both large enough for intervals */
function refuseOddBlocks(blocks: number, folder: string): void {
  if (blocks % 2 || blocks < 2 * enoughBlocks)
    throw usageError(
      `${folder}: A/A needs an even number of blocks, at least ${2 * enoughBlocks}; this run has ${blocks}`,
    );
}

/** Compares each condition of a finished run with itself, and prints how often intervals report a difference where there is none. */
export function benchAa(name: string | undefined): void {
  const run = readRun(name);
  const { folder, manifest } = run;
  refuseOddBlocks(manifest.loads, folder);
  const noted = new Map<string, Noted>();
  const { samples, counts } = countLoads(collectNotes(judgedLoads(run), noted), {
    conditions: conditionsOfRun(manifest),
    loadsPerCondition: manifest.loads,
    metric: manifest.experiment.metric,
  });
  if (counts.loads < counts.plannedLoads)
    throw usageError(
      `${folder} is not finished: ${counts.loads} of ${counts.plannedLoads} loads; continue it with ./lab run --resume ${folder}`,
    );
  const dropsOf = (id: string) => median(noted.get(id)?.queueDrops ?? [0]);
  const kinds = new Map(samples.map(({ condition }) => [condition.id, kindOf(condition, dropsOf(condition.id))]));
  const groups = aaGroups(samples, manifest.experiment, (id) => kinds.get(id)!);
  process.stdout.write(aaMarkdown(groups, folder, manifest.clock, manifest.loads / 2));
}
