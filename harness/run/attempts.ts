import type { PlannedLoad } from "../../schema/plan.ts";

/** A condition's load in a block is tried this often each time a run is started. */
export const maxAttempts = 3;

/** A load that was tried. */
export interface TriedLoad {
  condition: string;
  block: number;
  attempt: number;
  /** Of a load that counts; null for one that failed. */
  timeMs: number | null;
}

const keyOf = ({ block, condition }: { block: number; condition: string }) => `${block} ${condition}`;
const plannedKey = ({ block, condition }: PlannedLoad) => keyOf({ block, condition: condition.id });

/** Which loads of a plan are made, and how often the others were tried. */
export class Attempts {
  readonly #plan: PlannedLoad[];
  readonly #tried = new Map<string, number>();
  readonly #before: Map<string, number>;
  readonly #done = new Set<string>();

  constructor(plan: PlannedLoad[], recorded: Iterable<TriedLoad>) {
    this.#plan = plan;
    for (const load of recorded) this.count(load);
    this.#before = new Map(this.#tried); // a run that is resumed starts its failed loads over, under new attempt numbers
  }

  count(load: TriedLoad): void {
    const key = keyOf(load);
    this.#tried.set(key, Math.max(load.attempt, this.#tried.get(key) ?? 0));
    if (load.timeMs !== null) this.#done.add(key);
  }

  missing(): PlannedLoad[] {
    return this.#plan.filter((load) => !this.#done.has(plannedKey(load)));
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

/** A load's line, as far as it was tried. */
export const triedLoad = (load: {
  condition: string;
  block: number;
  attempt: number;
  ok: boolean;
  pageLoadMs?: unknown;
}): TriedLoad => ({
  condition: load.condition,
  block: load.block,
  attempt: load.attempt,
  timeMs: load.ok ? Number(load.pageLoadMs) : null,
});
