/** Where the time of a run's conditions goes, and where a case's gain comes from: its sides, part by part. */
import { median } from "simple-statistics";
import type { Condition, Values } from "../../../schema/plan.ts";
import { whyUntold } from "../../explain/account.ts";
import type { ExplainedLoad } from "../../explain/explained.ts";
import { type Part, partNames } from "../../explain/parts.ts";
import type { ComparedExperiment, Comparisons } from "../../plan/comparisons.ts";
import { contrast, matches, type Setting, settingKey, settingOf } from "../tables/setting.ts";

export type PartsMs = Record<Part, number>;

/** A condition's loads that have an account. */
export interface ExplainedCondition {
  condition: Condition;
  loads: number;
  pageLoadMs: number;
  /** The least that physics and the protocol's rules allow; null where it is not known. */
  floorMs: number | null;
  /** Medians, each of its own: of several loads they need not add up. */
  parts: PartsMs;
}

/** What an option saves in one setting, by parts: negative for what it loses. */
export interface ExplainedGain {
  case: string;
  title: string;
  setting: Setting;
  base: ExplainedCondition;
  option: ExplainedCondition;
  savedMs: number;
  parts: PartsMs;
}

/** A table's gain that has a published one beside it (beside-published.ts). */
export interface GainBesidePublished {
  table: string;
  /** The cell, or the setting that the source names. */
  where: string;
  settings: number;
  /** The mean of its settings' gains. */
  ours: number;
  published: number;
  /** What the gain would be if the option took no longer than its floor; null where that is not known. */
  most: number | null;
  /** What each part adds to a gain of 1: what it saves, as a share of the option's time, on average over the settings. */
  parts: PartsMs;
}

export interface Explanation {
  conditions: ExplainedCondition[];
  gains: ExplainedGain[];
  /** Those that differ most; none where nothing was published, or nothing of the same settings. */
  besidePublished: GainBesidePublished[];
  /** Conditions with traces that do not tell, and why. */
  untold: { condition: string; why: string }[];
}

export function explanationOf(
  loads: Iterable<Pick<ExplainedLoad, "condition" | "load" | "account" | "floor" | "trace">>,
  { baseline: base, comparisons: cases }: Pick<ComparedExperiment, "baseline" | "comparisons">,
  besidePublished: (gains: readonly ExplainedGain[]) => GainBesidePublished[] = () => [],
): Explanation {
  const byCondition = new Map<Condition, { pageLoadMs: number; parts: PartsMs; floorMs: number | null }[]>();
  const untold = new Map<string, string>();
  for (const { condition, load, account, floor, trace } of loads) {
    if (!account) untold.set(condition.id, whyUntold(trace));
    else
      byCondition.set(condition, [
        ...(byCondition.get(condition) ?? []),
        { parts: account.parts, pageLoadMs: load.pageLoadMs, floorMs: floor?.ms ?? null },
      ]);
  }
  const conditions = [...byCondition].map(([condition, all]) => ({
    condition,
    loads: all.length,
    pageLoadMs: median(all.map(({ pageLoadMs }) => pageLoadMs)),
    floorMs: all[0]!.floorMs,
    parts: partsOf((part) => median(all.map(({ parts }) => parts[part]))),
  }));
  const gains = gainsOf(conditions, base, cases);
  return {
    conditions,
    gains,
    besidePublished: besidePublished(gains),
    untold: [...untold].map(([condition, why]) => ({ condition, why })),
  };
}

export const partsOf = (of: (part: Part) => number) =>
  Object.fromEntries(partNames.map((part) => [part, of(part)])) as PartsMs;

function gainsOf(conditions: readonly ExplainedCondition[], base: Values, cases: Comparisons): ExplainedGain[] {
  return Object.entries(cases).flatMap(([id, one]) => {
    const sides = contrast(base, one);
    const inSetting = ({ condition }: ExplainedCondition) => settingOf(condition.values, sides);
    const side = (values: Values) =>
      new Map(
        conditions
          .filter(({ condition }) => matches(condition.values, values))
          .map((one) => [settingKey(inSetting(one)), one]),
      );
    const options = side(sides.option);
    return [...side(sides.base)].flatMap(([key, from]) => {
      const to = options.get(key);
      if (!to) return [];
      const parts = partsOf((part) => from.parts[part] - to.parts[part]);
      const savedMs = from.pageLoadMs - to.pageLoadMs;
      return [{ case: id, title: one.title, setting: inSetting(from), base: from, option: to, savedMs, parts }];
    });
  });
}
