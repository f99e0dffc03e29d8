import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { LoadRecord } from "../../schema/model.ts";

/** An append-only file of JSON lines. A line is on the disk when `append` returns; none is ever rewritten. */
export class Journal {
  readonly #path: string;
  readonly #file: number;

  constructor(path: string) {
    this.#path = path;
    const torn = existsSync(path) && !/(^|\n)$/.test(readFileSync(path, "utf8"));
    this.#file = openSync(path, "a");
    if (torn) this.#write("\n"); // what a crash cut off stays, as a line of its own that no reader takes for a record
  }

  append(record: unknown): void {
    this.#write(`${JSON.stringify(record)}\n`);
    fsyncSync(this.#file);
  }

  #write(text: string): void {
    const bytes = Buffer.from(text);
    try {
      const written = writeSync(this.#file, bytes);
      if (written < bytes.length) throw new Error("ENOSPC: no space left on device");
    } catch (error) {
      throw new LabError(
        ExitCode.failed,
        `cannot write ${this.#path}: ${(error as Error).message}\nwhat was recorded before is safe; make room, then resume`,
      );
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The whole lines of a journal; a torn one is passed over. An absent file holds none. */
export function readJournal<T>(path: string): T[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return line ? [JSON.parse(line) as T] : [];
      } catch {
        return [];
      }
    });
}

export const readLoads = (folder: string) => readJournal<LoadRecord>(`${folder}/loads.jsonl`);
