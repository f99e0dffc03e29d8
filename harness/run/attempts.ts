import { loadKey } from "../../schema/attempt.ts";
import type { PlannedLoad } from "../../schema/plan.ts";
import type { LoadRow } from "../judge/load/load-row.ts";

/** Each start or resume of a run makes at most this many attempts at a load. */
export const maxAttempts = 3;

export type TriedLoad = Pick<LoadRow, "condition" | "block" | "attempt" | "observed">;

/** Tracks which loads of a plan are done, and how many attempts were made at each of the remaining loads. */
export class Attempts {
  readonly #plan: PlannedLoad[];
  readonly #tried = new Map<string, number>();
  readonly #before: Map<string, number>;
  readonly #done = new Set<string>();

  constructor(plan: PlannedLoad[], recorded: Iterable<TriedLoad>) {
    this.#plan = plan;
    for (const load of recorded) this.count(load);
    this.#before = new Map(this.#tried); // a resumed run makes up to `maxAttempts` more attempts at each failed load, with higher numbers
  }

  count(load: TriedLoad): void {
    const key = loadKey(load);
    this.#tried.set(key, Math.max(load.attempt, this.#tried.get(key) ?? 0));
    if (load.observed !== null) this.#done.add(key);
  }

  /** Forgets all counted loads, so that a caller can count again from the first round. The number of attempts in earlier starts is kept. */
  restart(): void {
    this.#tried.clear();
    this.#done.clear();
  }

  missing(): PlannedLoad[] {
    return this.#plan.filter((load) => !this.#done.has(loadKey(load)));
  }

  /** The loads that may still be attempted, each with the number of its next attempt. */
  left(): PlannedLoad[] {
    const tried = (load: PlannedLoad) => this.#tried.get(loadKey(load)) ?? 0;
    const before = (load: PlannedLoad) => this.#before.get(loadKey(load)) ?? 0;
    return this.missing()
      .filter((load) => tried(load) - before(load) < maxAttempts)
      .map((load) => ({ ...load, attempt: tried(load) + 1 }));
  }
}
