/** Computes the random numbers of a run's loads from the run's seed, so that a repeated run has the same random numbers. */
import { createHash } from "node:crypto";
import { backgroundSteps } from "../../schema/background.ts";
import type { SharedLosses } from "../../schema/plan.ts";
import { periodMs, type RateTrace } from "../../schema/rate-trace.ts";

/** Returns a seed that depends only on a name, such as a page's name. */
export const seedOfName = (name: string): number => createHash("sha256").update(name).digest().readUInt32BE();

/** Returns the seed of a block's losses in netem. It is hashed: netem's generator is linear, so small seeds would give similar losses. */
export const lossSeedOf = (losses: SharedLosses, block: number): number =>
  losses === true ? block : hashed(`${losses.seed} ${block}`);

/**
 * Returns the time (ms) in a link's trace at which the link begins: uniformly random in the whole trace, from the run's seed and the block's number.
 * All loads of a block on links with this trace begin there, whatever else differs, so that neither side of a comparison has an advantage.
 */
export const traceOffsetMs = ({ down, up }: RateTrace, seed: number, block: number): number =>
  Math.floor(drawnShare("trace", seed, block) * Math.max(periodMs(down), periodMs(up)));

/**
 * Returns the delay between the end of a step (`backgroundSteps`) and a load with background flows, in ms: a random time within one step, from
 * the run's seed and the block's number. All loads of a block have the same delay, so that neither side of a comparison has an advantage.
 */
export const backgroundDelayMs = (seed: number, block: number): number =>
  Math.floor(drawnShare("background", seed, block) * backgroundSteps.ms);

/** Returns a uniformly random number from 0 to less than 1, computed from a run's seed, a block's number and a name. @param what the name */
const drawnShare = (what: string, seed: number, block: number): number => hashed(`${what} ${seed} ${block}`) / 2 ** 48;

/** Returns 48 bits of a text's hash. */
const hashed = (text: string): number => createHash("sha256").update(text).digest().readUIntBE(0, 6);
