import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { usageError } from "../../schema/errors.ts";
import type { Condition, PlannedLoad } from "../../schema/model.ts";

/** What `--only` may select by, and each condition's value for it, written as in the tables. */
export const selectors: Record<string, (condition: Condition) => string> = {
  page: (c) => c.page,
  servers: (c) => String(c.servers),
  channel: (c) => c.channel.name,
  rate: (c) => `${c.channel.downMbps}/${c.channel.upMbps}`,
  rtt: (c) => `${c.channel.rttMs}ms`,
  loss: (c) => `${c.channel.lossPercent}%`,
  protocol: (c) => c.protocol,
  initcwnd: (c) => String(c.initcwnd),
  server: (c) => c.server,
  congestion: (c) => c.congestion,
};

/**
 * The conditions that every filter lets through.
 * @param filters "axis=value[,value]" each
 * @throws LabError (usage) for an unknown axis or a value the experiment does not have
 */
export function select(conditions: Condition[], filters: string[]): Condition[] {
  return filters.reduce((left, filter) => {
    const [axis = "", list] = filter.split(/=(.*)/s);
    const valueOf = selectors[axis];
    if (!valueOf)
      throw usageError(`--only ${filter}: there is no axis "${axis}"; there is: ${Object.keys(selectors).join(", ")}`);
    if (!list)
      throw usageError(
        `--only ${filter}: give one or more values, as in --only ${axis}=${conditions[0] && valueOf(conditions[0])}`,
      );
    const allowed = [...new Set(conditions.map(valueOf))];
    const wanted = list.split(",");
    for (const value of wanted)
      if (!allowed.includes(value))
        throw usageError(`--only ${filter}: there is no ${axis} "${value}"; there is: ${allowed.join(", ")}`);
    const kept = left.filter((condition) => wanted.includes(valueOf(condition)));
    if (kept.length === 0) throw usageError(`--only ${filter}: no condition is left, together with the other --only`);
    return kept;
  }, conditions);
}

/**
 * Randomised complete blocks: each block holds every condition once, in an order drawn from (seed, block) alone, so
 * that a run with more blocks begins like a run with fewer, and drift of the machine favours no side of a gain.
 */
export function planBlocks(conditions: Condition[], blocks: number, seed: number): PlannedLoad[] {
  return Array.from({ length: blocks }, (_, i) => i + 1).flatMap((block) =>
    shuffle(conditions, seed + block * 0x9e3779b9).map((condition) => ({ block, attempt: 1, condition })),
  );
}

/** Fisher-Yates, seeded. */
function shuffle<T>(items: T[], seed: number): T[] {
  const random = xoroshiro128plus(seed | 0);
  const shuffled = [...items];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = uniformInt(random, 0, i);
    [shuffled[i], shuffled[j]] = [shuffled[j] as T, shuffled[i] as T];
  }
  return shuffled;
}
