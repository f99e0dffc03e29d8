import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { ExitCode, LabError } from "../../schema/errors.ts";

/** An append-only file of JSON lines. A line is on the disk when `append` returns; none is ever rewritten. */
export class Journal {
  readonly #path: string;
  readonly #file: number;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "a+");
    if (isTorn(this.#file)) this.#write("\n"); // what a crash cut off stays, as a line of its own that no reader takes for a record
  }

  /** @returns the line, as it stands in the file */
  append(record: unknown): string {
    const line = JSON.stringify(record);
    this.#write(`${line}\n`);
    fsyncSync(this.#file);
    return line;
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

const lineFeed = 0x0a;

/** Whether the last line has no end. */
function isTorn(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== lineFeed;
}

/** A line that is whole, and where in its file it begins. */
export interface Line {
  bytes: Buffer;
  offset: number;
}

const windowBytes = 1 << 20;

/**
 * The lines of a file from an offset on, one at a time: memory does not grow with the file. An absent file has none;
 * a last line without an end is still being written, or torn, and is not among them.
 */
export function* readLines(path: string, offset = 0): Generator<Line> {
  if (!existsSync(path)) return;
  const file = openSync(path, "r");
  try {
    let rest = Buffer.alloc(0);
    let restAt = offset;
    const window = Buffer.alloc(windowBytes);
    for (let read = readSync(file, window, 0, windowBytes, restAt); read > 0; ) {
      const data = Buffer.concat([rest, window.subarray(0, read)]);
      let start = 0;
      for (let end = data.indexOf(lineFeed); end >= 0; end = data.indexOf(lineFeed, start)) {
        if (end > start) yield { bytes: data.subarray(start, end), offset: restAt + start };
        start = end + 1;
      }
      restAt += start;
      rest = Buffer.from(data.subarray(start));
      read = readSync(file, window, 0, windowBytes, restAt + rest.length);
    }
  } finally {
    closeSync(file);
  }
}
