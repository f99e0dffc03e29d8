/** The verdict on a run, from its files alone: which loads are valid, and what only all loads together show. */
import { axes } from "../../../axes/registry.ts";
import { attemptInWords } from "../../../schema/attempt.ts";
import { type Link, linkName } from "../../../schema/link.ts";
import { standardWindow } from "../../../schema/linux.ts";
import type { Calibration } from "../../../schema/records.ts";
import type { Digest } from "../../record/digest.ts";
import type { SavedRun } from "../../record/records.ts";
import { LossPool, type PooledLoss } from "../link/pooled-loss.ts";
import { Sightings } from "../link/sightings.ts";
import type { Judgement } from "../load/load.ts";
import type { LoadRow, Seen } from "../load/load-row.ts";
import { HiddenPool, Inconclusive, type TooOften } from "./inconclusive.ts";
import { missingParts } from "./missing-parts.ts";
import { notesOf } from "./notes.ts";
import { Places } from "./places.ts";

export interface NamedLoad {
  condition: string;
  block: number;
  attempt: number;
  reasons: string[];
}

/** The number of valid loads in which an axis is confirmed, inconclusive or not observable. */
export interface AxisCounts {
  axis: string;
  confirmed: number;
  inconclusive: number;
  notObservable: number;
  /** The reasons why the axis is not observable in some loads. */
  because: string[];
}

export interface RunVerdict {
  /** The digest of all lines (harness/record/digest.ts). */
  digest: string;
  /** The number of loads that did not fail, and how many of them are valid. */
  loads: number;
  valid: number;
  invalid: NamedLoad[];
  /** How many loads are invalid because of a measurement of their link. */
  wrongLinks: number;
  /** Valid loads whose time depends on more than the network. */
  flagged: NamedLoad[];
  failed: number;
  failedWithoutEvidence: number;
  /** Planned loads that have not been measured yet. */
  missing: number;
  /** Lines that a crash cut off. */
  tornLines: number;
  /** Lines that are not records or do not fit into the run, in words. */
  problems: string[];
  notes: string[];
  axes: AxisCounts[];
  /** Conditions with the axes that none of their loads confirms. */
  neverConfirmed: { condition: string; axis: string; loads: number }[];
  tooOften: TooOften[];
  losses: PooledLoss[];
  /** The last measurement of each link. */
  links: Calibration[];
  sightings: ReturnType<Sightings["summary"]>;
}

/** Returns the lost share of a load's own packets, for links whose counters include other flows' packets or omit damaged packets. */
const ownShareOf = ({ sentSegments, retransmittedSegments }: Seen, { corruptPercent = 0 }: Link): number =>
  Math.max(sentSegments > 0 ? retransmittedSegments / sentSegments : 0, corruptPercent / 100);

/** Takes a run's loads one by one, in the order of the file. */
export class VerdictBuilder {
  readonly #run: SavedRun;
  readonly #places: Places;
  readonly #digest: Digest;
  readonly #pool = new LossPool();
  readonly #sightings = new Sightings();
  readonly #inconclusive = new Inconclusive();
  readonly #hidden = new HiddenPool();
  readonly #axes = new AxisTally();
  /** Condition -> blocks in which a load of this condition counts. */
  readonly #observed = new Map<string, Set<number>>();
  readonly #counts = { loads: 0, valid: 0, wrongLinks: 0, failed: 0, failedWithoutEvidence: 0, tornLines: 0 };
  #traced = 0;
  readonly #invalid: NamedLoad[] = [];
  readonly #flagged: NamedLoad[] = [];
  readonly #problems: string[];

  constructor(run: SavedRun) {
    this.#run = run;
    this.#places = new Places(run);
    this.#digest = run.digest();
    this.#problems = [...run.problems, ...missingParts(run)];
    if (run.planIsUnchanged() === false)
      this.#problems.push("run.json was changed after the run began: its SHA-256 is not the one in run.sha256");
  }

  torn(): void {
    this.#counts.tornLines++;
  }

  problem(text: string): void {
    this.#problems.push(text);
  }

  /** @returns what makes the load invalid, in words; for a failed load, what is wrong with its line */
  add(load: LoadRow): string[] {
    const place = this.#places.look(load);
    const problems = [...place.problems, ...load.judgement.contradictions];
    this.#digest.add(load.chunk, load.hash);
    this.#addObserved(load);
    if (place.wrongLink) this.#counts.wrongLinks++;
    if (!load.ok) this.#addFailed(load, problems);
    else {
      this.#counts.loads++;
      if (load.trace) this.#traced++;
      if (problems.length) this.#invalid.push(named(load, problems));
      else this.#addValid(load);
    }
    return problems;
  }

  #addFailed(load: LoadRow, problems: string[]): void {
    this.#counts.failed++;
    if (!load.seen) this.#counts.failedWithoutEvidence++;
    this.#addLosses(load);
    for (const text of problems) this.#problems.push(`${attemptInWords(load)}, a failed load: ${text}`);
  }

  /** Adds a load's losses if the load counts, even if it timed out. Such loads lost more packets; without them the link would seem to lose too few. */
  #addLosses(load: LoadRow): void {
    const { condition, observed, seen } = load;
    const link = this.#places.conditions.get(condition)?.settings.link;
    if (link && seen && observed !== null) this.#pool.add(linkName(link), link, seen.link, this.#sharedLosses(load));
  }

  #addObserved({ condition, block, observed }: LoadRow): void {
    if (observed === null || block > this.#run.manifest.loads) return;
    const blocks = this.#observed.get(condition) ?? new Set();
    this.#observed.set(condition, blocks.add(block));
  }

  #addValid(load: LoadRow): void {
    const condition = this.#places.conditions.get(load.condition);
    if (!condition || !load.seen) return;
    const { judgement, seen } = load;
    const { link, route, background } = condition.settings;
    const { initcwnd } = route.server;
    const inconclusive = Object.keys(judgement.inconclusive);
    this.#counts.valid++;
    if (judgement.flags.length) this.#flagged.push(named(load, judgement.flags));
    this.#addLosses(load);
    this.#sightings.add(linkName(link), seen);
    this.#inconclusive.add(load.condition, inconclusive);
    this.#hidden.add(
      inconclusive,
      seen.link,
      typeof initcwnd === "number" ? initcwnd : standardWindow,
      this.#sharedLosses(load),
      background || link.corruptPercent ? ownShareOf(seen, link) : 0,
    );
    this.#axes.add(judgement);
  }

  /** Returns the load's block, if all loads of a block share their random losses; null otherwise. */
  #sharedLosses = ({ block }: LoadRow): number | null => (this.#run.manifest.experiment.sharesLosses ? block : null);

  #missing(): number {
    const { manifest } = this.#run;
    return [...this.#places.conditions.keys()].reduce(
      (sum, id) => sum + manifest.loads - (this.#observed.get(id)?.size ?? 0),
      0,
    );
  }

  verdict(): RunVerdict {
    const { links } = this.#places;
    return {
      digest: String(this.#digest),
      ...this.#counts,
      invalid: this.#invalid,
      flagged: this.#flagged,
      missing: this.#missing(),
      problems: [...this.#problems, ...links.problems()],
      notes: notesOf(this.#run, this.#counts.loads - this.#traced),
      axes: this.#axes.list(),
      neverConfirmed: this.#inconclusive.never(),
      tooOften: this.#hidden.tooOften(),
      losses: this.#pool.losses(),
      links: links.last(),
      sightings: this.#sightings.summary(),
    };
  }
}

const named = ({ condition, block, attempt }: LoadRow, reasons: string[]): NamedLoad => ({
  condition,
  block,
  attempt,
  reasons,
});

class AxisTally {
  readonly #counts = new Map<string, AxisCounts>(
    axes.map(({ name }) => [name, { axis: name, confirmed: 0, inconclusive: 0, notObservable: 0, because: [] }]),
  );

  add({ inconclusive, notObservable }: Judgement): void {
    for (const [axis, counts] of this.#counts) {
      const why = notObservable[axis];
      if (why !== undefined) {
        counts.notObservable++;
        if (!counts.because.includes(why)) counts.because.push(why);
      } else if (axis in inconclusive) counts.inconclusive++;
      else counts.confirmed++;
    }
  }

  list = (): AxisCounts[] => [...this.#counts.values()];
}
