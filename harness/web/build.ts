/** A report of saved runs, as files: name -> content. The same runs give the same files. */
import { readFileSync } from "node:fs";
import { verify } from "../judge/verify.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import { readSavedRun } from "../record/records.ts";
import { tablesOf } from "../report/run-tables.ts";
import { bundle } from "./bundle.ts";
import { besideViews } from "./data/beside.ts";
import { gather } from "./data/gathered.ts";
import { labView } from "./data/lab-view.ts";
import type { LiveView, ReportView, RunView } from "./data/model.ts";
import { dataScript } from "./data/pack.ts";
import { runView } from "./data/run-view.ts";
import type { Pace } from "./pace.ts";

/** With the evidence of so many loads a report is a few megabytes; of a longer run, that of its first blocks. */
const detailedLoads = 6000;
/** Packets are more by far. */
const tracedLoads = 300;

export interface OpenedRun {
  folder: string;
  manifest: Manifest;
}

export type Files = Map<string, string>;

export interface Growth {
  /** What the server calls this state of the files. */
  state: string;
  grownAtMs: number;
  pace: Pace;
}

export interface ReportOptions {
  guessFirst: boolean;
  /** Of a server that looks on while the first run grows: a folder does not change. */
  live?: Growth;
}

/** @param runs one, or two that stand beside each other */
export async function buildReport(runs: readonly OpenedRun[], { guessFirst, live }: ReportOptions): Promise<Files> {
  const files: Files = new Map(await bundle());
  const views = runs.map((run, place) => addRun(run, place, files));
  const [first, second] = runs;
  const beside = first && second ? besideViews(first, second) : null;
  files.set(
    "data/report.js",
    dataScript("report", {
      runs: views,
      beside,
      guessFirst,
      live: live ? liveView(live, views[0]!) : null,
    } satisfies ReportView),
  );
  files.set("index.html", readFileSync(new URL("./client/index.html", import.meta.url), "utf8"));
  return files;
}

function liveView({ state, grownAtMs, pace }: Growth, { loads, planned }: RunView): LiveView {
  pace.look(grownAtMs, loads);
  return { state, grownAtMs, secondsLeft: pace.secondsFor(planned - loads) };
}

function addRun({ folder, manifest }: OpenedRun, place: number, files: Files): RunView {
  const run = readSavedRun(folder, manifest);
  const conditions = conditionsOfRun(manifest);
  const blocksOf = (loads: number) => Math.max(1, Math.floor(loads / conditions.length));
  const kept = { detailedBlocks: blocksOf(detailedLoads), tracedBlocks: blocksOf(tracedLoads) };
  const gathered = gather(folder, run, conditions, kept);
  const verification = verify(run);
  const add = (name: string, data: unknown) => files.set(`data/${name}.js`, dataScript(name, data));
  for (const [number, { data }] of gathered.entries()) add(`${place}/${number}`, data);
  const named = gathered.map(({ data }, number): [string, typeof data] => [conditions[number]!.id, data]);
  add(`${place}/lab`, labView(run, verification, named));
  return runView(folder, manifest, tablesOf(folder, run), verification, gathered, kept.detailedBlocks);
}
