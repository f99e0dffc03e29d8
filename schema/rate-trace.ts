/** A rate that varies over time, one sequence of steps for each direction. Each sequence repeats. */
import { z } from "zod";
import { nameSchema } from "./names.ts";

/** A duration, milliseconds, and the rate for this time, Mb/s; 0 if nothing is sent. */
const rateStep = z.tuple([z.number().positive(), z.number().nonnegative()]);
export type RateStep = z.infer<typeof rateStep>;

export const rateTraceSchema = z.strictObject({ name: nameSchema, down: z.array(rateStep), up: z.array(rateStep) });
export type RateTrace = z.infer<typeof rateTraceSchema>;

type Steps = readonly RateStep[];

export const periodMs = (steps: Steps): number => steps.reduce((sum, [ms]) => sum + ms, 0);

/** One Mb/s is 125 bytes in a millisecond. */
const bytesAt = (mbps: number, ms: number) => mbps * 125 * ms;

/** Rounds to 1 kb/s. */
export function meanMbps(steps: Steps): number {
  const bytes = steps.reduce((sum, [ms, mbps]) => sum + bytesAt(mbps, ms), 0);
  return Math.round((1000 * bytes) / 125 / periodMs(steps)) / 1000;
}

export const fastestMbps = (steps: Steps): number => steps.reduce((most, [, mbps]) => Math.max(most, mbps), 0);

/** Finds the step that applies at a time, and how many milliseconds of this step are left. */
function placeAt(steps: Steps, atMs: number): { step: number; leftMs: number } {
  const period = periodMs(steps);
  let restMs = ((atMs % period) + period) % period;
  for (const [step, [ms]] of steps.entries()) {
    if (restMs < ms) return { step, leftMs: ms - restMs };
    restMs -= ms;
  }
  return { step: 0, leftMs: steps[0]![0] }; // rounding put the time at the very end
}

/** Yields the steps between two times, and how many milliseconds of each step lie between them. The sequence also repeats before time 0. */
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

/** Tries all starting times. The longest time begins at a step's start, or ends at a step's end, which is a start in the reversed sequence. */
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
