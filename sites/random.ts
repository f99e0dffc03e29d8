import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Computes a 32-bit hash of integers, which gives every object and every part of a picture its own seed. */
export const hash = (seed: number, ...path: number[]): number => path.reduce(mix, seed);

/** Computes one step of `hash` with the finaliser of MurmurHash3, which is fast enough for every pixel. */
export function mix(seed: number, step: number): number {
  // `seed ^ step` would not do, because step 2 of seed 1 would equal step 0 of seed 3.
  let state = Math.imul(seed, 0x9e3779b1) + step + 0x7f4a7c15;
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = xoroshiro128plus(seed);
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = uniformInt(random, 0, last);
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}
