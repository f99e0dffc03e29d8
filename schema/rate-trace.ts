/** A rate that varies over time, one sequence of steps for each direction. Each sequence repeats. */
import { z } from "zod";
import { nameSchema } from "./names.ts";

/** How long a rate applies, milliseconds, and the rate, Mb/s. The rate is 0 if nothing is sent. */
const rateStep = z.tuple([z.number().positive(), z.number().nonnegative()]);
export type RateStep = z.infer<typeof rateStep>;

export const rateTraceSchema = z.strictObject({ name: nameSchema, down: z.array(rateStep), up: z.array(rateStep) });
export type RateTrace = z.infer<typeof rateTraceSchema>;

type Steps = readonly RateStep[];

/** Returns the time after which a sequence begins again. */
export const periodMs = (steps: Steps): number => steps.reduce((sum, [ms]) => sum + ms, 0);

/** Returns how many bytes a rate carries. One Mb/s is 125 bytes in a millisecond. */
const bytesAt = (mbps: number, ms: number) => mbps * 125 * ms;

/** Returns the average rate, Mb/s, rounded to 1 kb/s. */
export function meanMbps(steps: Steps): number {
  const bytes = steps.reduce((sum, [ms, mbps]) => sum + bytesAt(mbps, ms), 0);
  return Math.round((1000 * bytes) / 125 / periodMs(steps)) / 1000;
}

export const fastestMbps = (steps: Steps): number => steps.reduce((most, [, mbps]) => Math.max(most, mbps), 0);

/** Finds the place in a sequence at a time: which step applies, and how much of it is left, milliseconds. */
function placeAt(steps: Steps, atMs: number): { step: number; leftMs: number } {
  const period = periodMs(steps);
  let restMs = ((atMs % period) + period) % period;
  for (const [step, [ms]] of steps.entries()) {
    if (restMs < ms) return { step, leftMs: ms - restMs };
    restMs -= ms;
  }
  return { step: 0, leftMs: steps[0]![0] }; // rounding put the time at the very end
}

/** Yields the steps from one time to another, and how much of each step lies between them. Before time 0, the sequence repeats, too. */
export function* stepsBetween(steps: Steps, fromMs: number, toMs: number): Generator<{ ms: number; step: RateStep }> {
  let { step, leftMs } = placeAt(steps, fromMs);
  for (let atMs = fromMs; atMs < toMs; ) {
    const ms = Math.min(leftMs, toMs - atMs);
    yield { ms, step: steps[step]! };
    atMs += leftMs;
    step = (step + 1) % steps.length;
    leftMs = steps[step]![0];
  }
}

/** Returns how many bytes the link can carry from one time to another. */
export function bytesBetween(steps: Steps, fromMs: number, toMs: number): number {
  let bytes = 0;
  for (const { ms, step } of stepsBetween(steps, fromMs, toMs)) bytes += bytesAt(step[1], ms);
  return bytes;
}

/** Returns how many milliseconds the link takes to carry `bytes`, beginning at `fromMs`; infinite if all rates are 0. */
export function carryingMs(steps: Steps, bytes: number, fromMs: number): number {
  if (fastestMbps(steps) === 0) return Number.POSITIVE_INFINITY;
  let [leftBytes, tookMs] = [bytes, 0];
  for (const { ms, step } of stepsBetween(steps, fromMs, Number.POSITIVE_INFINITY)) {
    const carried = bytesAt(step[1], ms);
    if (carried >= leftBytes) return leftBytes === 0 ? tookMs : tookMs + (ms * leftBytes) / carried;
    leftBytes -= carried;
    tookMs += ms;
  }
  return tookMs;
}

const knownLongest = new WeakMap<Steps, Map<number, number>>();

/**
 * Returns the longest time, in milliseconds, that it takes to carry some bytes, over all starting points in the sequence. The longest interval
 * begins where a step begins, or ends where a step ends. In the second case, it begins where a step of the reversed sequence begins.
 */
export function longestCarryingMs(steps: Steps, bytes: number): number {
  const known = knownLongest.get(steps) ?? new Map<number, number>();
  knownLongest.set(steps, known);
  const longest = known.get(bytes) ?? Math.max(...[steps, steps.toReversed()].map((all) => fromStarts(all, bytes)));
  known.set(bytes, longest);
  return longest;
}

function fromStarts(steps: Steps, bytes: number): number {
  let [startMs, longest] = [0, 0];
  for (const [ms] of steps) {
    longest = Math.max(longest, carryingMs(steps, bytes, startMs));
    startMs += ms;
  }
  return longest;
}
