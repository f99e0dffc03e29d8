/** A page whose load times are random numbers instead of measurements, so that the true savings of its changes are known. */
import type { Asked } from "../harness/advise/search.ts";
import { type SharedLink, type Times, unchanged } from "../harness/advise/times.ts";
import { normal, type Random, randomOf } from "./random.ts";

/** How a load's time deviates from its page's time: the page's time is multiplied by `times`, then `addMs` is added. */
interface Deviation {
  times(random: Random): number;
  addMs(random: Random): number;
  /** The share of blocks in which a load with a change has the same random number as the load without it, as if the same packets were lost. */
  shared: number;
}

const none = () => 0;

/** Random deviations of load times, by kind of link. The deviations with losses are not fitted to recorded loads. */
export const noises = {
  "no loss, equal times": { times: () => 1, addMs: none, shared: 1 },
  "no loss, some ms": { times: () => 1, addMs: (random) => 2 * normal(random), shared: 0 },
  "no loss, another phase in a fifth of the loads": {
    times: (random) => (random() < 0.2 ? 1.05 : 1),
    addMs: none,
    shared: 0,
  },
  "losses: log-normal, sigma 0.3": { times: (random) => Math.exp(0.3 * normal(random)), addMs: none, shared: 0.5 },
  "losses: each 10 to 40% more, the next in 40% of loads": {
    times: (random) => {
      let time = Math.exp(0.03 * normal(random));
      while (random() < 0.4) time += 0.1 + 0.3 * random();
      return time;
    },
    addMs: none,
    shared: 0.5,
  },
} satisfies Record<string, Deviation>;
export type Noise = keyof typeof noises;

/** What a change does to a load: the time is multiplied by `factor`, then `addMs` is added. */
export interface Effect {
  factor: number;
  addMs: number;
}

export interface MadeUpLink extends SharedLink {
  /** The unchanged page's time over this link. */
  ms: number;
}

export const madeUpLinks: readonly MadeUpLink[] = [
  { name: "Cable", share: 0.4, ms: 1500 },
  { name: "4G", share: 0.4, ms: 2500 },
  { name: "3GFast", share: 0.2, ms: 6000 },
];

export interface MadeUpPage {
  measure(asked: Asked): Promise<Times>;
  loads(): number;
  /** The page's true median time in ms, a mean over the links, weighted by their users' shares. Without `change`, the unchanged page's time. */
  trueMs(change?: string): number;
}

/** @param effects the effect of each change; the effect of a combination (names joined by "+") is computed from its parts' effects */
export function madeUpPage(effects: ReadonlyMap<string, Effect>, noise: Noise, random: Random): MadeUpPage {
  const deviation: Deviation = noises[noise];
  const middle = middleOf(noise);
  let loads = 0;
  const msOf = (change: string, ms: number) =>
    change.split("+").reduce((sum, name) => {
      const { factor, addMs } = effects.get(name) ?? { factor: 1, addMs: 0 };
      return sum * factor + addMs;
    }, ms);
  const timeOf = (change: string, ms: number, times: number) =>
    Math.max(1, msOf(change, ms) * times + deviation.addMs(random));
  return {
    async measure({ changes, blocks, firstBlock }) {
      const found = new Map([unchanged, ...changes].map((name) => [name, new Map<string, Map<number, number>>()]));
      for (const { name, ms } of madeUpLinks) {
        const draws = Array.from({ length: blocks }, () => deviation.times(random));
        for (const [change, byLink] of found) {
          const own = draws.map((draw) =>
            change === unchanged || random() < deviation.shared ? draw : deviation.times(random),
          );
          byLink.set(name, new Map(own.map((draw, i) => [firstBlock + i, timeOf(change, ms, draw)])));
        }
      }
      loads += found.size * madeUpLinks.length * blocks;
      return found;
    },
    loads: () => loads,
    trueMs: (change = unchanged) =>
      madeUpLinks.reduce((sum, { share, ms }) => sum + share * msOf(change, ms) * middle, 0),
  };
}

const middles = new Map<Noise, number>();

function middleOf(noise: Noise): number {
  const known = middles.get(noise);
  if (known !== undefined) return known;
  const random = randomOf(1);
  const many = Float64Array.from({ length: 400_001 }, () => noises[noise].times(random)).sort();
  middles.set(noise, many[200_000]!);
  return many[200_000]!;
}
