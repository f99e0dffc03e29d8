/** Files in which this checkout caches its results, each under a key and sealed: a file from elsewhere could claim anything. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { sealOf } from "./index-key.ts";

export interface Limits {
  /** How many files are kept; those that were not used for the longest time are removed first. */
  files: number;
  /** The most bytes of a file; a larger one is not kept. */
  bytes: number;
}

export class SealedFiles<Content extends object> {
  readonly #folder: string;
  readonly #limits: Limits;

  constructor(folder: string, limits: Limits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** @returns null if nothing is kept under this key, or it is not as this checkout wrote it */
  read(key: string): Content | null {
    const path = `${this.#folder}/${key}`;
    try {
      const { seal, content } = JSON.parse(readFileSync(path, "utf8")) as { seal: string; content: Content };
      if (seal !== sealOf(content)) return null;
      utimesSync(path, new Date(), new Date());
      return content;
    } catch {
      return null;
    }
  }

  /** If nothing can be written, nothing is kept. Files that a killed process left are removed with the oldest files. */
  keep(key: string, content: Content): void {
    const path = `${this.#folder}/${key}`;
    const json = JSON.stringify({ seal: sealOf(content), content });
    if (json.length > this.#limits.bytes) return;
    const part = `${path}.${process.pid}`;
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(part, json);
      renameSync(part, path);
      this.#removeOldest();
    } catch {
      rmSync(part, { force: true });
    }
  }

  #removeOldest(): void {
    const all = readdirSync(this.#folder).map((name) => `${this.#folder}/${name}`);
    if (all.length <= this.#limits.files) return;
    const old = all.map((path) => ({ path, atMs: statSync(path).mtimeMs })).toSorted((a, b) => b.atMs - a.atMs);
    for (const { path } of old.slice(this.#limits.files)) rmSync(path, { force: true });
  }
}
