/** Checks whether a load fits its run's other loads: place in the order and attempt must be right, and no other load may have the same evidence. */
import { loadKey } from "../../../schema/attempt.ts";
import { restMs } from "../../../schema/procedure.ts";
import type { Lane } from "../../../schema/records.ts";
import { orderOfBlock } from "../../plan/blocks.ts";
import type { Manifest } from "../../record/manifest.ts";
import { loadPrints, portPrints } from "../load/fingerprints.ts";
import type { LoadRow } from "../load/load-row.ts";

export type PlacedLoad = Pick<
  LoadRow,
  "condition" | "block" | "attempt" | "chunk" | "ok" | "startedAt" | "wallMs" | "cause" | "fingerprints"
>;

/** By how much a load's end may be wrong: it is computed from a start and a duration, which come from two clocks and are rounded. */
const roundingMs = 5;
/** How far a pause between loads on the virtual clock may differ from `restMs`. Reading the clock adds up to 6 ms, a removed load a second or more. */
const computingMs = 50;
/** For how many blocks the order of loads is kept. At most this many blocks are in progress at the same time, one for each lane. */
const knownBlocks = 16;

type PlannedBy = Pick<Manifest, "seed" | "processingMs">;

export class Neighbours {
  readonly #conditions: string[];
  readonly #seed: number;
  readonly #lanes: ReadonlyMap<number, Lane>;
  /** Chunk -> its last load, and when this load ended. */
  readonly #last = new Map<number, { load: PlacedLoad; endMs: number }>();
  /** Machine -> its last load on the real clock, whichever lane made it. */
  readonly #busy = new Map<string, { chunk: number; endMs: number }>();
  /** Load -> how many of its attempts have failed so far. */
  readonly #attempts = new Map<string, number>();
  readonly #seen = new Set<number>();
  /** How many of a load's fingerprints must be unique in the run. */
  readonly #unique: number;
  /** Block -> condition -> its position. */
  readonly #places = new Map<number, Map<string, number>>();

  /** @param conditions the ids of the run's conditions, in the experiment's order */
  constructor(conditions: string[], { seed, processingMs }: PlannedBy, lanes: ReadonlyMap<number, Lane>) {
    this.#conditions = conditions;
    this.#seed = seed;
    this.#unique = processingMs === 0 ? portPrints : Number.POSITIVE_INFINITY;
    this.#lanes = lanes;
  }

  /** @param load the next load of the file, failed or not @returns what is wrong with it, in words */
  see(load: PlacedLoad): string[] {
    const isMeasured = load.cause !== "lane ended"; // otherwise no lane recorded when the load began
    const inTime = isMeasured ? [...this.#orderProblems(load), ...this.#overlapProblems(load)] : [];
    return [...this.#attemptProblems(load), ...inTime, ...this.#twice(load)];
  }

  /** On the real clock a machine has one lane at a time, because two would compete for the processor. */
  #overlapProblems({ chunk, startedAt, wallMs }: PlacedLoad): string[] {
    const lane = this.#lanes.get(chunk);
    if (lane?.clock !== "real") return [];
    const machine = JSON.stringify(lane.machine);
    const [before, startMs] = [this.#busy.get(machine), Date.parse(startedAt)];
    this.#busy.set(machine, { chunk, endMs: startMs + wallMs });
    return before && before.chunk !== chunk && startMs < before.endMs - roundingMs
      ? [`it began at ${startedAt}, while lane ${before.chunk} was making a load on the same machine`]
      : [];
  }

  /** Attempts are counted from 1, and each failed attempt has a line. */
  #attemptProblems(load: PlacedLoad): string[] {
    const key = loadKey(load);
    const expected = (this.#attempts.get(key) ?? 0) + 1;
    if (load.ok) this.#attempts.delete(key);
    else this.#attempts.set(key, load.attempt);
    return load.attempt === expected ? [] : [`it is attempt ${load.attempt}, but attempt ${expected} has no line`];
  }

  /** Reports a load out of order. A lane makes loads in the order of the plan, and repeated attempts after all first attempts. */
  #orderProblems(load: PlacedLoad): string[] {
    const startMs = Date.parse(load.startedAt);
    const last = this.#last.get(load.chunk);
    this.#last.set(load.chunk, { load, endMs: startMs + load.wallMs });
    const lane = this.#lanes.get(load.chunk);
    const earliestMs = last?.endMs ?? (lane ? Date.parse(lane.startedAt) : Number.NEGATIVE_INFINITY);
    const problems: string[] = [];
    if (last && lane?.clock === "virtual" && Math.abs(startMs - last.endMs - restMs) > computingMs)
      problems.push(
        `it began ${startMs - last.endMs} ms after the previous load; on the virtual clock the pause is ${restMs} ms`,
      );
    if (!(startMs >= earliestMs - roundingMs))
      problems.push(`it began at ${load.startedAt}, before ${last ? "the previous load had ended" : "its lane began"}`);
    if (last && !this.#follows(load, last.load))
      problems.push("its position in its lane differs from the planned order, which follows from the seed");
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

  #twice({ chunk, fingerprints }: PlacedLoad): string[] {
    const most = this.#lanes.get(chunk)?.clock === "virtual" ? loadPrints : fingerprints.length;
    const compared = fingerprints.slice(0, Math.min(most, this.#unique));
    const known = compared.filter((print) => this.#seen.has(print));
    for (const print of compared) this.#seen.add(print);
    return known.length ? ["another load has the same evidence"] : [];
  }
}
