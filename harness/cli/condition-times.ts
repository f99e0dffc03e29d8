/** The page load times of each condition so far, while a run is active. */
import { max, min } from "simple-statistics";
import type { PlannedLoad } from "../../schema/plan.ts";
import { median } from "../statistics/quantile.ts";

export class ConditionTimes {
  readonly condition: string;
  /** The planned number of loads. */
  readonly loads: number;
  readonly #timesMs: number[] = [];

  constructor(condition: string, loads: number) {
    this.condition = condition;
    this.loads = loads;
  }

  /** @param pageLoadMs Infinity for a load that never ended */
  add(pageLoadMs: number): void {
    this.#timesMs.push(pageLoadMs);
  }

  get made(): number {
    return this.#timesMs.length;
  }

  /** Describes the times, as in "median 1.23 s (1.20 to 1.31 s), 5 of 10 loads". The range may also be "1.20 s to never ended". */
  described(): string {
    if (this.made === 0) return "no load yet";
    const [middle, least, most] = [median, min, max].map((of) => of(this.#timesMs)) as [number, number, number];
    const range = most === Infinity ? `${spoken(least)} to ${spoken(most)}` : `${seconds(least)} to ${seconds(most)} s`;
    return `median ${spoken(middle)} (${range}), ${this.made} of ${this.loads} loads`;
  }
}

const seconds = (ms: number) => (ms / 1000).toFixed(2);
const spoken = (ms: number) => (ms === Infinity ? "never ended" : `${seconds(ms)} s`);

export function timesOf(plan: readonly PlannedLoad[]): ConditionTimes[] {
  const counts = new Map<string, number>();
  for (const { condition } of plan) counts.set(condition.id, (counts.get(condition.id) ?? 0) + 1);
  return [...counts]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([condition, loads]) => new ConditionTimes(condition, loads));
}
