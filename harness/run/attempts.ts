import type { LoadRecord, PlannedLoad } from "../../schema/model.ts";

/** A condition's load in a block is tried this often each time a run is started. */
export const maxAttempts = 3;

const keyOf = ({ block, condition }: { block: number; condition: string }) => `${block} ${condition}`;
const plannedKey = ({ block, condition }: PlannedLoad) => keyOf({ block, condition: condition.id });

/** Which loads of a plan are made, and how often the others were tried. */
export class Attempts {
  readonly #plan: PlannedLoad[];
  readonly #tried = new Map<string, number>();
  readonly #before: Map<string, number>;
  readonly #done = new Set<string>();
  readonly #enough: (timesMs: number[]) => boolean;
  readonly #timesMs = new Map<string, number[]>();

  /** @param enough whether a condition's times say so much that no more loads of it are to be made */
  constructor(plan: PlannedLoad[], recorded: LoadRecord[], enough: (timesMs: number[]) => boolean = () => false) {
    this.#plan = plan;
    this.#enough = enough;
    recorded.forEach((load) => this.count(load));
    this.#before = new Map(this.#tried); // a run that is resumed starts its failed loads over, under new attempt numbers
  }

  count(load: LoadRecord): void {
    const key = keyOf(load);
    this.#tried.set(key, Math.max(load.attempt, this.#tried.get(key) ?? 0));
    if (!load.ok) return;
    this.#done.add(key);
    this.#timesMs.set(load.condition, [...(this.#timesMs.get(load.condition) ?? []), load.pageLoadMs]);
  }

  missing(): PlannedLoad[] {
    const finished = new Set(
      [...this.#timesMs].flatMap(([condition, timesMs]) => (this.#enough(timesMs) ? [condition] : [])),
    );
    return this.#plan.filter((load) => !this.#done.has(plannedKey(load)) && !finished.has(load.condition.id));
  }

  /** Those that may be tried, with the number of their next attempt. */
  left(): PlannedLoad[] {
    const tried = (load: PlannedLoad) => this.#tried.get(plannedKey(load)) ?? 0;
    const before = (load: PlannedLoad) => this.#before.get(plannedKey(load)) ?? 0;
    return this.missing()
      .filter((load) => tried(load) - before(load) < maxAttempts)
      .map((load) => ({ ...load, attempt: tried(load) + 1 }));
  }
}
