import { createHash } from "node:crypto";

/** From 0 to less than 1, drawn evenly by a run's seed and a block's number. @param what names the draw, so that others of the block differ */
export const drawnShare = (what: string, seed: number, block: number): number =>
  createHash("sha256").update(`${what} ${seed} ${block}`).digest().readUIntBE(0, 6) / 2 ** 48;
