/** A report of saved runs, as files: name -> content. The same runs give the same files. */
import { readFileSync } from "node:fs";
import { recordedLoads } from "../judge/judged-loads.ts";
import type { RunVerdict } from "../judge/run-verdict.ts";
import { captureFolders, readCapture, type SavedCapture } from "../record/captures.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import { readSavedRun, type SavedRun } from "../record/records.ts";
import { renderFigureCsv } from "../report/figures/csv.ts";
import { figureSpecs, figuresOf } from "../report/run-figures.ts";
import { tablesOf } from "../report/run-tables.ts";
import { bundle } from "./bundle.ts";
import { Gatherer, type Gathering } from "./data/gathered.ts";
import { addTo, labView } from "./data/lab-view.ts";
import type { CaptureView, ConditionData, FigureView, Listed, LiveView, ReportView, RunView } from "./data/model.ts";
import { dataScript } from "./data/pack.ts";
import { runView } from "./data/run-view.ts";
import type { Pace } from "./pace.ts";

/** What loads leave takes so much of a report's folder at most; all else, with what `./lab bench report` counts too, a megabyte or so. */
const mostBytes = 8e6;
/** What stays of any load: its time. */
const bytesALoad = 4;
/** Packets are more by far. */
const tracedLoads = 300;

export interface OpenedRun {
  folder: string;
  manifest: Manifest;
}

/** What is too large to be held is copied from where it lies. */
export type Content = string | { copyOf: string };
export type Files = Map<string, Content>;

export interface Growth {
  /** What the server calls this state of the files. */
  state: string;
  grownAtMs: number;
  pace: Pace;
}

export interface ReportOptions {
  /** Of a server that looks on while the first run grows: a folder does not change. */
  live?: Growth;
}

/** @param runs one, or two that stand beside each other */
export async function buildReport(runs: readonly OpenedRun[], { live }: ReportOptions = {}): Promise<Files> {
  const files: Files = new Map(await bundle());
  const views: RunView[] = [];
  for (const [place, run] of runs.entries()) {
    const view = addRun(run, place, mostBytes / runs.length, files);
    // Drawing takes the processor for seconds, which loads that are being made need.
    const isGoing = live !== undefined && view.loads < view.planned;
    views.push({ ...view, figures: isGoing ? [] : await addFigures(run, place, files) });
  }
  files.set(
    "data/report.js",
    dataScript("report", {
      runs: views,
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

/** One pass over its lines, each judged and gathered; its tables then find them judged. */
function addRun({ folder, manifest }: OpenedRun, place: number, bytes: number, files: Files): Omit<RunView, "figures"> {
  const run = readSavedRun(folder, manifest);
  const conditions = conditionsOfRun(manifest);
  const add = (name: string, data: unknown) => files.set(`data/${name}.js`, dataScript(name, data));
  const tracedBlocks = Math.max(1, Math.floor(tracedLoads / conditions.length));
  const keep = detailKeeper(place, bytes - bytesALoad * manifest.loads * conditions.length, files);
  const gatherers = conditions.map((condition, i) => new Gatherer(condition, i, { run, tracedBlocks, keep }));
  const byId = new Map(conditions.map(({ id }, i) => [id, gatherers[i]!]));
  const failed: Listed = { total: 0, first: [] };
  const verdict = gatherAll(run, byId, failed);
  const gathered = gatherers.map((one) => one.gathered());
  const captures = new Map(
    captureFolders(folder)
      .map(readCapture)
      .map((one) => [one.condition, one]),
  );
  for (const [number, { data }] of gathered.entries()) {
    const capture = captures.get(conditions[number]!.id);
    const view = capture ? addCapture(capture, `data/captures/${place}/${number}`, files) : null;
    add(`${place}/${number}`, { ...data, capture: view } satisfies ConditionData);
  }
  add(`${place}/lab`, labView(run, verdict, failed));
  return runView(folder, manifest, tablesOf(run), verdict, gathered);
}

function gatherAll(run: SavedRun, gatherers: ReadonlyMap<string, Gatherer>, failed: Listed): RunVerdict {
  const loads = recordedLoads(run);
  for (;;) {
    const { done, value } = loads.next();
    if (done) return value;
    gatherers.get(value.condition)?.add(value);
    if (!value.record.ok) addTo(failed, { ...value.record, reasons: [value.record.reason] });
  }
}

async function addFigures({ folder, manifest }: OpenedRun, place: number, files: Files): Promise<FigureView[]> {
  if (figureSpecs(manifest).length === 0) return [];
  const { renderSvg } = await import("../report/figures/chart.ts"); // loading it takes time, and few reports need it
  return figuresOf(readSavedRun(folder, manifest)).map((figure) => {
    const [svg, csv] = [`data/figures/${place}/${figure.id}.svg`, `data/figures/${place}/${figure.id}.csv`];
    files.set(svg, renderSvg(figure)).set(csv, renderFigureCsv(figure));
    return { title: figure.title, svg, csv };
  });
}

function addCapture(
  { folder, pageLoadMs, reason, files: saved, film }: SavedCapture,
  into: string,
  files: Files,
): CaptureView {
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

/** Puts what loads left behind beside the rest, the earliest first, while there is room. */
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
