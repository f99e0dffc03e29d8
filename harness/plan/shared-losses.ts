import { createHash } from "node:crypto";
import type { SharedLosses } from "../../schema/plan.ts";

/** The number that netem draws a block's losses from. Hashed, because its generator is linear: numbers of few bits draw alike. */
export const lossSeedOf = (losses: SharedLosses, block: number): number =>
  losses === true ? block : createHash("sha256").update(`${losses.seed} ${block}`).digest().readUIntBE(0, 6);

/** A seed from a name, such as a page's. */
export const seedOfName = (name: string): number => createHash("sha256").update(name).digest().readUInt32BE();
