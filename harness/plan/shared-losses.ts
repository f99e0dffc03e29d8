import { createHash } from "node:crypto";
import type { SharedLosses } from "../../schema/plan.ts";

/** The seed of a block's losses in netem. It is hashed, because netem's generator is linear, so small seeds would give similar losses. */
export const lossSeedOf = (losses: SharedLosses, block: number): number =>
  losses === true ? block : createHash("sha256").update(`${losses.seed} ${block}`).digest().readUIntBE(0, 6);

/** A seed from a name, such as a page's. */
export const seedOfName = (name: string): number => createHash("sha256").update(name).digest().readUInt32BE();
