/** Turns every attempt at a load into a flat row for CSV and Parquet: its condition, its times, and numbers from its evidence. */
import type { Metric } from "../../metrics/metric.ts";
import { keptMetrics } from "../../metrics/registry.ts";
import type { Condition } from "../../schema/plan.ts";
import type { JudgedLoad } from "../judge/run/judged-loads.ts";
import { countedValue, FirstAttempts } from "../tables/counted.ts";

export type Row = Record<string, string | number | boolean | null | undefined>;

/** Returns the name of the column for a metric's lower bound. Only metrics that end with an event can have a lower bound. */
const boundOf = (name: string) => `${name}AtLeast`;
const bounded = keptMetrics.filter(({ untilLoaded, atLeast }) => untilLoaded || atLeast);

/** The columns with numbers, including columns that are empty in every row of a run. */
export const figureNames: ReadonlySet<string> = new Set([
  ...keptMetrics.map(({ name }) => name),
  ...bounded.map(({ name }) => boundOf(name)),
]);

/** @param conditions the run's conditions by their ids; all conditions have the same fields */
export function columnsOf(conditions: ReadonlyMap<string, Condition>): string[] {
  const [any] = conditions.values();
  const tried = ["block", "attempt", "lane", "startedAt", "ok", "valid", "counts", "reason"];
  return ["condition", ...Object.keys(any?.fields ?? {}), ...tried, ...figureNames];
}

export interface RowOptions {
  conditions: ReadonlyMap<string, Condition>;
  /** The metric of the run's experiment, which decides which attempt of a block counts. */
  metric: string;
  timeoutMs: number;
}

/** Selects the loads that tables of this metric are computed from, at most one per condition and block. */
export function countingLoads(loads: readonly JudgedLoad[], metric: string): ReadonlySet<JudgedLoad> {
  const first = new FirstAttempts<JudgedLoad>();
  for (const load of loads) if (countedValue(load, metric) !== null) first.add(load.condition, load.block, load);
  return new Set(loads.filter((load) => first.of(load.condition).get(load.block) === load));
}

export function rowsOf(loads: readonly JudgedLoad[], { conditions, metric, timeoutMs }: RowOptions): Row[] {
  const counting = countingLoads(loads, metric);
  return loads.map((load) => {
    const { condition: id, block, attempt, chunk, startedAt, ok, valid, problems } = load;
    return {
      condition: id,
      ...conditions.get(id)?.fields,
      block,
      attempt,
      lane: chunk,
      startedAt,
      ok,
      valid,
      counts: counting.has(load),
      reason: [...(load.reason === null ? [] : [load.reason]), ...problems].join("; "),
      ...figuresOf(load, timeoutMs),
    };
  });
}

/** If the lane refused a load but current rules accept it, the load has numbers, too. A load that timed out has lower bounds, not times. */
function figuresOf({ ok, observed, metrics, atLeast }: JudgedLoad, timeoutMs: number): Row {
  const values = ok || observed === "time" ? metrics : {};
  const least = ({ name, untilLoaded }: Metric) => {
    if (observed === "longer") return untilLoaded ? timeoutMs : null;
    return observed === "time" ? (atLeast[name] ?? null) : null;
  };
  return Object.fromEntries([
    ...keptMetrics.map(({ name }) => [name, values[name] ?? null]),
    ...bounded.map((metric) => [boundOf(metric.name), least(metric)]),
  ]);
}
