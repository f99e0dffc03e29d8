import { loadKey } from "../../schema/attempt.ts";
import type { PlannedLoad } from "../../schema/plan.ts";
import type { Observed } from "../judge/load/observed.ts";

/** Each start or resume of a run makes at most this many attempts at a load. */
export const maxAttempts = 3;

/** An attempt at a load. */
export interface TriedLoad {
  condition: string;
  block: number;
  attempt: number;
  observed: Observed;
}

/** Tracks which loads of a plan are done, and how many attempts the others have had. */
export class Attempts {
  readonly #plan: PlannedLoad[];
  readonly #tried = new Map<string, number>();
  readonly #before: Map<string, number>;
  readonly #done = new Set<string>();

  constructor(plan: PlannedLoad[], recorded: Iterable<TriedLoad>) {
    this.#plan = plan;
    for (const load of recorded) this.count(load);
    this.#before = new Map(this.#tried); // a resumed run gives failed loads new attempts, with the next numbers
  }

  count(load: TriedLoad): void {
    const key = loadKey(load);
    this.#tried.set(key, Math.max(load.attempt, this.#tried.get(key) ?? 0));
    if (load.observed !== null) this.#done.add(key);
  }

  /** Forgets the counted loads, so that rounds are counted again from the first. It still knows how many attempts earlier starts made. */
  restart(): void {
    this.#tried.clear();
    this.#done.clear();
  }

  missing(): PlannedLoad[] {
    return this.#plan.filter((load) => !this.#done.has(loadKey(load)));
  }

  /** Loads that may have another attempt, with its number. */
  left(): PlannedLoad[] {
    const tried = (load: PlannedLoad) => this.#tried.get(loadKey(load)) ?? 0;
    const before = (load: PlannedLoad) => this.#before.get(loadKey(load)) ?? 0;
    return this.missing()
      .filter((load) => tried(load) - before(load) < maxAttempts)
      .map((load) => ({ ...load, attempt: tried(load) + 1 }));
  }
}
