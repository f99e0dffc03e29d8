/** Computes what the final changes save, with intervals, from fresh blocks. */
import {
  type Bounded,
  boundedValue,
  combine,
  differenceOf,
  type Estimate,
  intervalOf,
} from "../statistics/estimate.ts";
import { type Interval, resampleBlocks } from "../statistics/resample.ts";
import { parseStatistic } from "../statistics/statistic.ts";
import { worthShare } from "./standings.ts";
import { type SharedLink, type Times, unchanged } from "./times.ts";

/** A number with its interval, which is null if there are too few blocks. In 95% of cases, all intervals of one `FinalEstimates` hold. */
export interface JointlyMeasured extends Bounded {
  interval: Interval | null;
}

export interface FinalChange {
  change: string;
  /** What users save: the difference of the links' median times, averaged by the users' shares. */
  savedMs: JointlyMeasured;
  /** `savedMs` in percent of the unchanged page's time. */
  savedPercent: JointlyMeasured;
  /** The median time over each link, in ms. */
  linksMs: Map<string, Bounded>;
  /** True for the first change, and for every change that is not surely worse than the first. */
  isTied: boolean;
}

/**
 * - "helps": some change surely saves `worthShare` of the time or more.
 * - "nothing helps": every change surely saves less, also each change that the search left out.
 * - "not sure": no change surely saves that much, but some change may.
 *
 * If no change really saves `worthShare`, the verdict is "helps" in at most 5% of cases, even if a change saves almost that much.
 */
export type Verdict = "helps" | "nothing helps" | "not sure";

export interface FinalEstimates {
  /** The users' time with the unchanged page, in ms: the links' medians, averaged by the users' shares. */
  unchangedMs: Bounded;
  unchangedLinksMs: Map<string, Bounded>;
  /** The change that saves most is first. */
  changes: FinalChange[];
  verdict: Verdict;
  blocks: number;
}

export interface FinalGiven {
  /** Times from fresh blocks, in which the unchanged page and all changes were loaded. */
  times: Times;
  changes: readonly string[];
  links: readonly SharedLink[];
  /** Whether the search was sure. If it was not, a change that was left out may help, so the verdict is never "nothing helps". */
  isSure?: boolean;
  /** A load that never ended took at least this long. */
  timeoutMs?: number;
  /** The number of bootstrap resamples, if fewer than usual are enough. */
  draws?: number;
}

const median = parseStatistic("median")!;
/** In at most this share of cases, some interval misses the truth. The share is divided by the number of changes (Bonferroni). */
const misses = 0.05;

export function finalEstimates(given: FinalGiven): FinalEstimates {
  const { changes, links } = given;
  const { blocks, mediansOf } = sampled(given);
  const before = mediansOf(unchanged);
  const total = forUsers(before, links);
  const measured = (estimate: Estimate): JointlyMeasured => ({
    ...boundedValue(estimate, "linear"),
    interval: intervalOf(estimate, "linear", misses / Math.max(1, changes.length)),
  });
  const all = changes
    .map((change) => {
      const medians = mediansOf(change);
      const own = forUsers(medians, links);
      const percent = combine([total, own], ([all = 0, left = 0]) => 100 * (1 - left / all), [1]);
      return { change, medians, own, savedMs: measured(differenceOf(total, own)), savedPercent: measured(percent) };
    })
    .sort((a, b) => a.own.most.value - b.own.most.value || 0);
  const linksMs = (medians: readonly Estimate[]) =>
    new Map(links.map(({ name }, i) => [name, boundedValue(medians[i]!, "linear")]));
  return {
    unchangedMs: boundedValue(total, "linear"),
    unchangedLinksMs: linksMs(before),
    changes: all.map(({ change, medians, own, savedMs, savedPercent }, i) => ({
      change,
      savedMs,
      savedPercent,
      linksMs: linksMs(medians),
      isTied: i === 0 || !isSurelyWorse(measured(differenceOf(own, all[0]!.own))),
    })),
    verdict: verdictOf(
      all.map(({ savedPercent }) => savedPercent),
      given.isSure ?? true,
    ),
    blocks,
  };
}

/** `mediansOf` returns a change's median time over each link. All changes share the resamples, because the loads of a block are paired. */
function sampled({ times, links, timeoutMs, draws }: FinalGiven) {
  const blocks = new Set([...times.values()].flatMap((links) => [...links.values()].flatMap((own) => [...own.keys()])));
  const resamples = resampleBlocks(blocks, draws);
  const mediansOf = (change: string): Estimate[] =>
    links.map(({ name }) =>
      median.estimate([{ byBlock: times.get(change)?.get(name) ?? new Map(), timeoutMs }], resamples),
    );
  return { blocks: blocks.size, mediansOf };
}

const forUsers = (medians: readonly Estimate[], links: readonly SharedLink[]): Estimate =>
  combine(medians, (values) => values.reduce((sum, value, i) => sum + links[i]!.share * value, 0));

/** Whether a change surely takes longer than the first change, given the difference of their times. */
const isSurelyWorse = ({ interval }: JointlyMeasured): boolean => interval !== null && interval.low > 0;

export const surelyHelps = ({ interval }: JointlyMeasured): boolean =>
  interval !== null && interval.low >= 100 * worthShare;

function verdictOf(savings: readonly JointlyMeasured[], isSure: boolean): Verdict {
  if (savings.some(surelyHelps)) return "helps";
  const isLess = ({ interval }: JointlyMeasured) => interval !== null && interval.high < 100 * worthShare;
  return isSure && savings.every(isLess) ? "nothing helps" : "not sure";
}
