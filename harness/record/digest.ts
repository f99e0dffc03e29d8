/**
 * Computes one hash of a run's content: the SHA-256 of its lines, by chunk number, and within a chunk in the order of each file. The hash does
 * not depend on the time, commit and machine of the lines, so that a repeated run on the virtual clock has the same digest.
 * It does not depend on the demands of a gate, either.
 */
import { createHash } from "node:crypto";
import { sha256 } from "../../schema/sha256.ts";

/** The fields about when, where and why a line or a manifest was made. */
const ofItsMaking = new Set([
  ...["createdAt", "commit", "startedAt", "measuredAt"],
  ...["machine", "versions", "sandbox", "shaper", "substrate", "demands"],
]);

/** @param json a line or a manifest as it was recorded, of any version */
export const contentHash = (json: object): string =>
  sha256(JSON.stringify(Object.fromEntries(Object.entries(json).filter(([field]) => !ofItsMaking.has(field)))));

export class Digest {
  readonly #manifest: string;
  /** Each chunk's lines so far. */
  readonly #chunks = new Map<number, ReturnType<typeof createHash>>();

  /** @param manifest the content hash of run.json */
  constructor(manifest: string) {
    this.#manifest = manifest;
  }

  /** @param hash the content hash of the chunk's next line */
  add(chunk: number, hash: string): void {
    const lines = this.#chunks.get(chunk) ?? createHash("sha256");
    this.#chunks.set(chunk, lines.update(hash));
  }

  toString(): string {
    const chunks = [...this.#chunks]
      .sort(([a], [b]) => a - b)
      .map(([chunk, lines]) => `${chunk} ${lines.copy().digest("hex")}`);
    return sha256([this.#manifest, ...chunks].join("\n"));
  }
}
