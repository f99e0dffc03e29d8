/** A load between the others of its run: their order, their tries, and that no two have the same evidence. */
import { restMs } from "../../schema/procedure.ts";
import type { Lane } from "../../schema/records.ts";
import { orderOfBlock } from "../plan/blocks.ts";
import { portPrints } from "./fingerprints.ts";
import type { LoadRow } from "./load-row.ts";

/** What a load's line says of its place. */
export type PlacedLoad = Pick<
  LoadRow,
  "condition" | "block" | "attempt" | "lane" | "ok" | "startedAt" | "wallMs" | "fingerprints"
>;

/** Two clocks tell when a load began and how long it took, and both are rounded. */
const roundingMs = 5;
/** As many blocks as lanes may be at work on at a time. */
const knownBlocks = 16;

interface PlannedBy {
  seed: number;
  processingMs?: number | undefined;
}

const keyOf = ({ block, condition }: Pick<PlacedLoad, "block" | "condition">) => `${block} ${condition}`;

export class Neighbours {
  readonly #conditions: string[];
  readonly #seed: number;
  readonly #lanes: ReadonlyMap<number, Lane>;
  /** Lane -> its last load, and when that had ended. */
  readonly #last = new Map<number, { load: PlacedLoad; endMs: number }>();
  /** Of loads that failed so far, how often. */
  readonly #tries = new Map<string, number>();
  readonly #seen = new Set<number>();
  /** How many of a load's fingerprints no other load may have. */
  readonly #unique: number;
  /** Block -> condition -> its place. */
  readonly #places = new Map<number, Map<string, number>>();

  /** @param conditions of the run, in the experiment's order */
  constructor(conditions: string[], { seed, processingMs }: PlannedBy, lanes: ReadonlyMap<number, Lane>) {
    this.#conditions = conditions;
    this.#seed = seed;
    this.#unique = processingMs === 0 ? portPrints : Number.POSITIVE_INFINITY;
    this.#lanes = lanes;
  }

  /** @param load the next of the file, failed or not @returns what is wrong with its place, in words */
  see(load: PlacedLoad): string[] {
    const byRunner = !load.ok && load.wallMs === 0; // of a lane that ended in it: no lane says when
    return [...this.#tryProblems(load), ...(byRunner ? [] : this.#orderProblems(load)), ...this.#twice(load)];
  }

  /** Tries are counted from 1, and each that failed has its line. */
  #tryProblems(load: PlacedLoad): string[] {
    const key = keyOf(load);
    const expected = (this.#tries.get(key) ?? 0) + 1;
    if (load.ok) this.#tries.delete(key);
    else this.#tries.set(key, load.attempt);
    return load.attempt === expected ? [] : [`it is attempt ${load.attempt}, and attempt ${expected} has no line`];
  }

  /** A lane makes one load after the other: in the plan's order, what was tried before after the rest. */
  #orderProblems(load: PlacedLoad): string[] {
    const startMs = Date.parse(load.startedAt);
    const last = this.#last.get(load.lane);
    this.#last.set(load.lane, { load, endMs: startMs + load.wallMs });
    const lane = this.#lanes.get(load.lane);
    const earliestMs = last?.endMs ?? (lane ? Date.parse(lane.startedAt) : Number.NEGATIVE_INFINITY);
    const problems: string[] = [];
    if (last && lane?.clock === "virtual" && Math.abs(startMs - last.endMs - restMs) > roundingMs)
      problems.push(
        `it began ${startMs - last.endMs} ms after the load ahead of it; on the virtual clock ${restMs} pass`,
      );
    if (!(startMs >= earliestMs - roundingMs))
      problems.push(`it began at ${load.startedAt}, before ${last ? "the load ahead of it had ended" : "its lane"}`);
    if (last && !this.#follows(load, last.load))
      problems.push("its place in its lane is not the one that the plan's seed gives it");
    return problems;
  }

  #follows(load: PlacedLoad, before: PlacedLoad): boolean {
    if (load.attempt !== before.attempt) return load.attempt > before.attempt;
    if (load.block !== before.block) return load.block > before.block;
    return this.#placeOf(load) > this.#placeOf(before);
  }

  #placeOf({ block, condition }: PlacedLoad): number {
    const known = this.#places.get(block);
    const places = known ?? new Map(orderOfBlock(this.#conditions, block, this.#seed).map((id, place) => [id, place]));
    if (!known) {
      if (this.#places.size >= knownBlocks) this.#places.delete(this.#places.keys().next().value!);
      this.#places.set(block, places);
    }
    return places.get(condition) ?? -1;
  }

  #twice({ fingerprints }: PlacedLoad): string[] {
    const compared = fingerprints.slice(0, this.#unique);
    const known = compared.filter((print) => this.#seen.has(print));
    for (const print of compared) this.#seen.add(print);
    return known.length ? ["another load has the same evidence"] : [];
  }
}
