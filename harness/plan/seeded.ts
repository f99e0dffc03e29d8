/** Computes the random numbers of a run's loads from the run's seed, so that a repeated run has the same random numbers. */
import { createHash } from "node:crypto";
import { backgroundSteps } from "../../schema/background.ts";
import type { SharedLosses } from "../../schema/plan.ts";
import { periodMs, type RateTrace } from "../../schema/rate-trace.ts";

export const seedOfName = (name: string): number => createHash("sha256").update(name).digest().readUInt32BE();

/** Returns the seed of a block's losses in netem. It is hashed: netem's generator is linear, so small seeds would give similar losses. */
export const lossSeedOf = (losses: SharedLosses, block: number): number =>
  losses === true ? block : hashed(`${losses.seed} ${block}`);

/** Returns the time (ms) in a rate trace at which all loads of a block begin, so that neither side of a comparison has an advantage. */
export const traceOffsetMs = ({ down, up }: RateTrace, seed: number, block: number): number =>
  Math.floor(drawnShare("trace", seed, block) * Math.max(periodMs(down), periodMs(up)));

/** Returns the time (ms) from the end of a step (`backgroundSteps`) to a load with background flows: the same for all loads of a block. */
export const backgroundDelayMs = (seed: number, block: number): number =>
  Math.floor(drawnShare("background", seed, block) * backgroundSteps.ms);

/** Returns a uniformly random number from 0 to less than 1. @param what names the number's purpose; each purpose gets other numbers */
const drawnShare = (what: string, seed: number, block: number): number => hashed(`${what} ${seed} ${block}`) / 2 ** 48;

/** Returns 48 bits of a text's hash. */
const hashed = (text: string): number => createHash("sha256").update(text).digest().readUIntBE(0, 6);
