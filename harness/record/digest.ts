/**
 * Computes a run's digest: one SHA-256 of its manifest and its lines, by chunk number, and within a chunk in the order of each file. Fields such
 * as time, commit and machine are left out, so that a repeated run on the virtual clock has the same digest.
 */
import { createHash } from "node:crypto";
import { sha256 } from "../../schema/sha256.ts";

/** The fields that are left out: when, where and why a line or a manifest was made. */
const ofItsMaking = new Set([
  ...["createdAt", "commit", "startedAt", "measuredAt"],
  ...["machine", "versions", "sandbox", "shaper", "substrate", "demands"],
]);

/** @param json a line or a manifest as it was recorded, of any version */
export const contentHash = (json: object): string =>
  sha256(JSON.stringify(Object.fromEntries(Object.entries(json).filter(([field]) => !ofItsMaking.has(field)))));

export class Digest {
  readonly #manifest: string;
  /** Chunk number -> the hash of the chunk's lines so far. */
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
