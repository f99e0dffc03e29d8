import { createHash } from "node:crypto";

/** A uniformly random number from 0 to less than 1, computed from a run's seed, a block's number and a name. @param what the name */
export const drawnShare = (what: string, seed: number, block: number): number =>
  createHash("sha256").update(`${what} ${seed} ${block}`).digest().readUIntBE(0, 6) / 2 ** 48;
