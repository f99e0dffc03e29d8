/** Computes what refused attempts would change in the results. This reveals a rule that refuses mainly slow loads, or mainly fast loads. */
import { inMarkdown } from "../../schema/foreign-words.ts";
import { counted } from "../../schema/words.ts";
import type { JudgedLoad } from "../judge/run/judged-loads.ts";
import { comparable } from "../plan/comparable.ts";
import { contrast } from "../plan/comparisons.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import { type Interval, resampleBlocks } from "../statistics/resample.ts";
import { summaryOf } from "../tables/condition-summary.ts";
import { type CountedLoad, countLoads, countOptionsOf, type Sample } from "../tables/counted.ts";
import { alignedTable } from "../tables/format.ts";
import { pairsOf } from "../tables/scenario.ts";
import { resampleMedians, speedupsOf } from "../tables/speedups.ts";
import { statisticsOf } from "../tables/statistics.ts";

/** The conclusion from a speedup's 95% interval. */
type Side = "faster" | "slower" | "cannot tell" | "no interval";

export interface RefusedEffects {
  /** The number of attempts that were refused although their evidence has a time. */
  attempts: number;
  /** Medians of the experiment's metric in each condition with refused attempts; null if the condition has no load. */
  medians: { condition: string; median: number | null; withRefused: number | null }[];
  /** How many speedups have an interval. */
  intervals: number;
  /** The speedups whose conclusion would differ if refused attempts counted. */
  moved: { speedup: string; side: Side; withRefused: Side }[];
}

type Slim = CountedLoad & { refused: boolean };

export class Refusals {
  readonly #loads: Slim[] = [];
  readonly #manifest: Manifest;

  constructor(manifest: Manifest) {
    this.#manifest = manifest;
  }

  add({ condition, block, attempt, observed, refused, metrics: all, atLeast, marked }: JudgedLoad): void {
    const { metric } = this.#manifest.experiment;
    const left = refused && observed === null && all[metric] != null;
    this.#loads.push({
      ...{ condition, block, attempt, observed, atLeast, marked, refused: left },
      metrics: { [metric]: all[metric] ?? null },
    });
  }

  /** Returns null if no refused attempt has a time. */
  effects(): RefusedEffects | null {
    const refused = this.#loads.filter((load) => load.refused);
    if (refused.length === 0) return null;
    const affected = new Set(refused.map(({ condition }) => condition));
    const now = this.#samplesOf(this.#loads);
    const all = this.#samplesOf(
      this.#loads.map((load) => (load.refused ? { ...load, observed: "time" as const } : load)),
    );
    const [sides, others] = [this.#sidesOf(now), this.#sidesOf(all)];
    return {
      attempts: refused.length,
      medians: now.flatMap((sample, i) => {
        const [{ condition, median }, { median: withRefused }] = [summaryOf(sample), summaryOf(all[i]!)];
        return affected.has(condition) ? [{ condition, median, withRefused }] : [];
      }),
      intervals: [...sides.values()].filter((side) => side !== "no interval").length,
      moved: [...sides].flatMap(([speedup, side]) => {
        const withRefused = others.get(speedup)!;
        return side === withRefused ? [] : [{ speedup, side, withRefused }];
      }),
    };
  }

  #samplesOf(loads: readonly CountedLoad[]): Sample[] {
    return countLoads(loads, countOptionsOf(this.#manifest)).samples;
  }

  /** Whether each comparison's option is faster, slower or neither, both over all scenarios and in each scenario. */
  #sidesOf(samples: readonly Sample[]): Map<string, Side> {
    const { experiment } = this.#manifest;
    const resamples = resampleBlocks(samples.flatMap(({ byBlock }) => [...byBlock.keys()]));
    const medians = resampleMedians(samples, resamples);
    const { comparisons } = comparable(experiment, conditionsOfRun(this.#manifest));
    return new Map(
      Object.entries(comparisons).flatMap(([id, one]) => {
        const both = contrast(experiment.baseline, one);
        const names = pairsOf(both, samples).map(({ baseline, option }) => (option ?? baseline)!.condition.id);
        const speedups = speedupsOf(id, both, samples, medians);
        return [
          [`${one.title}, over all scenarios`, sideOf(statisticsOf(speedups)?.interval ?? null)] as const,
          ...speedups.map(({ interval }, i) => [`${one.title}, ${names[i]}`, sideOf(interval)] as const),
        ];
      }),
    );
  }
}

function sideOf(interval: Interval | null): Side {
  if (!interval) return "no interval";
  if (interval.low > 1) return "faster";
  return interval.high < 1 ? "slower" : "cannot tell";
}

const shownMedian = (value: number | null) => value?.toFixed(1) ?? "none";

/** Returns the paragraphs about refused attempts that `./lab verify` prints. */
export function renderRefused({ attempts, medians, intervals, moved }: RefusedEffects): string[] {
  const header = ["condition", "median", "with refused attempts"];
  const rows = medians.map(({ condition, ...both }) => [
    condition,
    shownMedian(both.median),
    shownMedian(both.withRefused),
  ]);
  const would = moved.map(
    ({ speedup, side, withRefused }) => `- ${inMarkdown(speedup)}: ${side}; with refused attempts: ${withRefused}`,
  );
  return [
    `${counted(attempts, "refused attempt has", "refused attempts have")} a time that does not count. If they counted, medians would be:\n\n${alignedTable([header, ...rows], 1)}`,
    would.length
      ? `Conclusions that refused attempts would change:\n\n${would.join("\n")}`
      : `None of the ${counted(intervals, "speedup")} with a 95% interval would then lead to another conclusion.`,
  ];
}
