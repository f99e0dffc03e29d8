/** Caches results in files. Each file is named by the SHA-256 of everything that its result depends on. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { sha256 } from "../../schema/sha256.ts";

export interface Limits {
  /** How many files are kept. The least recently used files are removed first. */
  files: number;
  /** The most bytes of a file. A larger file is not kept. */
  bytes: number;
}

export class KeptFiles<Content extends object> {
  readonly #folder: string;
  readonly #limits: Limits;

  constructor(folder: string, limits: Limits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** @returns null if nothing is kept under this key, or the file is damaged */
  read(key: string): Content | null {
    const path = `${this.#folder}/${key}`;
    try {
      const { hash, content } = JSON.parse(readFileSync(path, "utf8")) as { hash: string; content: Content };
      if (hash !== sha256(JSON.stringify(content))) return null;
      utimesSync(path, new Date(), new Date());
      return content;
    } catch {
      return null;
    }
  }

  /** If the file cannot be written, nothing is kept, and there is no error. Unfinished files of killed processes are removed with the oldest ones. */
  keep(key: string, content: Content): void {
    const path = `${this.#folder}/${key}`;
    const json = JSON.stringify({ hash: sha256(JSON.stringify(content)), content });
    if (Buffer.byteLength(json) > this.#limits.bytes) return;
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
