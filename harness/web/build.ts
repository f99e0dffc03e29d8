/** Builds the files of a report of saved runs, by their names. The same runs give the same files. */
import { readFileSync } from "node:fs";
import { LabError } from "../../schema/errors.ts";
import { renderFigureCsv } from "../figures/figure.ts";
import { figureSpecs, figuresOf } from "../figures/run-figures.ts";
import { readToEnd, recordedLoads } from "../judge/run/judged-loads.ts";
import type { NamedLoad } from "../judge/run/run-verdict.ts";
import { captureFolders, readCapture, type SavedCapture } from "../record/captures.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import { readSavedRun, type SavedRun } from "../record/records.ts";
import { tablesOf } from "../tables/run-tables.ts";
import { type WhyReport, whyReport } from "../why/why-report.ts";
import { bundle } from "./bundle.ts";
import { type Gathered, Gatherer, type Gathering } from "./data/gathered.ts";
import { labView } from "./data/lab-view.ts";
import { dataScript } from "./data/pack.ts";
import { publishedView } from "./data/published-view.ts";
import { type RunView, runView } from "./data/run-view.ts";
import type { Pace } from "./pace.ts";

/** The most bytes that the times and details of loads may take in a report's folder. Everything else takes about a megabyte. */
const mostBytes = 8e6;
/** The bytes that a load's time takes. The report has the time of every load. */
const bytesALoad = 4;
/** Packet traces need far more space, so the report has them only for about this many loads. */
const tracedLoads = 300;

export interface OpenedRun {
  folder: string;
  manifest: Manifest;
}

/** A file's text, or the path of a large file, which is copied instead of being read into memory. */
export type Content = string | { copyOf: string };
export type Files = Map<string, Content>;

export interface Growth {
  /** The server's name for this state of the files. */
  state: string;
  /** When the run's last load was written, in milliseconds since the epoch. */
  grownAtMs: number;
  pace: Pace;
}

/** The first file that a report's page reads. Other files refer to a run by its index in this file. */
export type ReportView = Awaited<ReturnType<typeof addReport>>;

/** @param runs one run, or two to compare @param live set by a server that observes the first run while it grows */
export async function buildReport(runs: readonly OpenedRun[], live?: Growth): Promise<Files> {
  const files: Files = new Map(await bundle());
  files.set("data/report.js", dataScript("report", await addReport(runs, files, live)));
  files.set("index.html", readFileSync(new URL("./client/index.html", import.meta.url), "utf8"));
  return files;
}

async function addReport(runs: readonly OpenedRun[], files: Files, live?: Growth) {
  const views: (RunView & { figures: FigureView[]; hasPublished: boolean })[] = [];
  for (const [place, run] of runs.entries()) {
    const view = addRun(run, place, mostBytes / runs.length, files);
    // Drawing takes seconds of CPU time, which would disturb the loads of an active run.
    const isGoing = live !== undefined && view.loads < view.plannedLoads;
    const figures = isGoing ? [] : await addFigures(run, place, files);
    views.push({ ...view, figures, hasPublished: !isGoing && addPublished(run, place, files) });
  }
  return { runs: views, live: live ? liveView(live, views[0]!) : null };
}

/** The progress of the first run, as the server observes it. */
export type LiveView = ReturnType<typeof liveView>;
function liveView({ state, grownAtMs, pace }: Growth, { loads, plannedLoads }: RunView) {
  return { state, grownAtMs, secondsLeft: pace.secondsFor(plannedLoads - loads, grownAtMs, loads) };
}

/** Judges and gathers all lines in one pass, which leaves an index, so that the tables need not judge the lines again. */
function addRun({ folder, manifest }: OpenedRun, place: number, bytes: number, files: Files): RunView {
  const run = readSavedRun(folder, manifest);
  const conditions = conditionsOfRun(manifest);
  const add = (name: string, data: unknown) => files.set(`data/${name}.js`, dataScript(name, data));
  const tracedBlocks = Math.max(1, Math.floor(tracedLoads / conditions.length));
  const keep = detailKeeper(place, bytes - bytesALoad * manifest.loads * conditions.length, files);
  const gatherers = conditions.map((condition, i) => new Gatherer(condition, i, { run, tracedBlocks, keep }));
  const byId = new Map(conditions.map(({ id }, i) => [id, gatherers[i]!]));
  const failed: NamedLoad[] = [];
  const verdict = readToEnd(recordedLoads(run), (load) => {
    byId.get(load.condition)?.add(load);
    const { condition, block, attempt, reason } = load;
    if (reason !== null) failed.push({ condition, block, attempt, reasons: [reason] });
  });
  const gathered = gatherers.map((one) => one.gathered());
  const captures = new Map(
    captureFolders(folder)
      .map(readCapture)
      .map((one) => [one.condition, one]),
  );
  for (const [number, { data }] of gathered.entries()) {
    const capture = captures.get(conditions[number]!.id);
    const view = capture ? addCapture(capture, `data/captures/${place}/${number}`, files) : null;
    add(`${place}/${number}`, { ...data, capture: view });
  }
  add(`${place}/lab`, labView(run, verdict, failed));
  return runView(folder, manifest, tablesOf(run), verdict, gathered);
}

/** The content of a condition's data file. */
export type ConditionData = Gathered["data"] & {
  /** null if the condition was not captured. */ capture: CaptureView | null;
};

/** The paths of a figure's picture and of its numbers, relative to the report's page. */
interface FigureView {
  title: string;
  svg: string;
  csv: string;
}

async function addFigures({ folder, manifest }: OpenedRun, place: number, files: Files): Promise<FigureView[]> {
  if (manifest.why) return addWhy(readSavedRun(folder, manifest), place, files);
  if (figureSpecs(manifest).length === 0) return [];
  const { renderSvg } = await import("../figures/chart.ts"); // loading it takes time, and few reports need it
  return figuresOf(readSavedRun(folder, manifest)).map((figure) => {
    const [svg, csv] = [`data/figures/${place}/${figure.id}.svg`, `data/figures/${place}/${figure.id}.csv`];
    files.set(svg, renderSvg(figure)).set(csv, renderFigureCsv(figure));
    return { title: figure.title, svg, csv };
  });
}

/** Adds the figure of a `./lab why` run. Quick runs, and runs in which loads are missing or have no time, have no figure. */
async function addWhy(run: SavedRun, place: number, files: Files): Promise<FigureView[]> {
  const { whyCsv, whySvg } = await import("../why/why-figure.ts");
  const report = reportIfAny(run);
  const drawn = report && whySvg(report);
  if (!report || !drawn) return [];
  const [svg, csv] = [`data/figures/${place}/why.svg`, `data/figures/${place}/why.csv`];
  files.set(svg, drawn).set(csv, whyCsv(report));
  return [{ title: report.title, svg, csv }];
}

function reportIfAny(run: SavedRun): WhyReport | null {
  try {
    return whyReport(run);
  } catch (error) {
    if (error instanceof LabError) return null;
    throw error;
  }
}

function addPublished({ folder, manifest }: OpenedRun, place: number, files: Files): boolean {
  const rows = publishedView(folder, manifest);
  const name = `${place}/published`;
  if (rows.length) files.set(`data/${name}.js`, dataScript(name, rows));
  return rows.length > 0;
}

/** A capture, with the paths of its files relative to the report's page. */
export type CaptureView = ReturnType<typeof addCapture>;
function addCapture({ folder, pageLoadMs, reason, files: saved, film }: SavedCapture, into: string, files: Files) {
  const copy = (name: string) => {
    files.set(`${into}/${name}`, { copyOf: `${folder}/${name}` });
    return `${into}/${name}`;
  };
  return {
    pageLoadMs,
    reason,
    files: saved.map(({ name, bytes }) => ({ name, address: copy(name), bytes })),
    film: film && {
      speedIndexMs: film.speedIndexMs,
      frames: film.frames.map(({ name, ...frame }) => ({ ...frame, address: copy(name) })),
    },
  };
}

/** Adds the details of loads to the report, the earliest loads first, while there is room. */
function detailKeeper(place: number, bytes: number, files: Files): Gathering["keep"] {
  let room = bytes;
  return (condition, load, detail) => {
    if (room <= 0) return false;
    const name = `${place}/${condition}/${load}`;
    const script = dataScript(name, detail());
    room -= script.length;
    if (room > 0) files.set(`data/${name}.js`, script);
    return room > 0;
  };
}
