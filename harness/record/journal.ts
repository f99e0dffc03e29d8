import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import { unpacked } from "./packed-file.ts";
import { openFile } from "./run-files.ts";

/** An append-only file of JSON lines, never rewritten. After `append`, a line survives a crash of the process; after `sync`, also a power cut. */
export class Journal {
  readonly #path: string;
  readonly #file: number;
  #unsynced = false;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "a+");
    if (isTorn(this.#file)) this.#write("\n"); // separates the next line from a line that a crash cut off
  }

  /** @throws LabError for a record whose line would be too long to read */
  append(record: unknown): void {
    this.#write(lineOf(record, `the next line of ${this.#path}`));
    this.#unsynced = true;
  }

  sync(): void {
    if (this.#unsynced) this.#do(() => fsyncSync(this.#file));
    this.#unsynced = false;
  }

  #write(text: string): void {
    const bytes = Buffer.from(text);
    this.#do(() => {
      const written = writeSync(this.#file, bytes);
      if (written < bytes.length) throw new Error("ENOSPC: no space left on device");
    });
  }

  #do(writing: () => void): void {
    try {
      writing();
    } catch (error) {
      throw new LabError(
        ExitCode.failed,
        `cannot write ${this.#path}: ${(error as Error).message}\nwhat was recorded before is safe; free some space, then resume`,
      );
    }
  }

  close(): void {
    try {
      this.sync();
    } finally {
      closeSync(this.#file);
    }
  }
}

const lineFeed = 0x0a;

/** Whether the last line is incomplete. */
function isTorn(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== lineFeed;
}

/** A complete line, and its offset in the file. */
export interface Line {
  bytes: Buffer;
  offset: number;
}

const windowBytes = 1 << 20;

/** Reads a file in pieces, so that only packed files are wholly in memory. A missing file counts as empty. */
function* piecesOf(path: string, offset = 0): Generator<Buffer> {
  if (!existsSync(path)) {
    const found = unpacked(path);
    if (found) yield found.content.subarray(offset);
    return;
  }
  const file = openFile(path);
  try {
    yield* piecesOfOpen(file, offset);
  } finally {
    closeSync(file);
  }
}

function* piecesOfOpen(file: number, offset = 0): Generator<Buffer> {
  for (let at = offset; ; ) {
    const window = Buffer.alloc(windowBytes);
    const read = readSync(file, window, 0, windowBytes, at);
    if (read === 0) return;
    yield window.subarray(0, read);
    at += read;
  }
}

/** The limit for a line: a hundred times the size of a line whose load has thousands of requests. */
const mostLineBytes = 64e6;

/** @param what names the line in the error @throws LabError if the line is too long for readers */
export function lineOf(record: unknown, what: string): string {
  const line = `${JSON.stringify(record)}\n`;
  const bytes = Buffer.byteLength(line);
  if (bytes <= mostLineBytes) return line;
  throw new LabError(
    ExitCode.failed,
    `${what} would have ${Math.ceil(bytes / 1e6)} MB; a line may have at most ${mostLineBytes / 1e6} MB`,
  );
}

/** Skips an incomplete last line, which is being written or was cut off. @throws LabError (usage) for a damaged file or a line that is too long */
export function* readLines(path: string, offset = 0): Generator<Line> {
  yield* linesOf(piecesOf(path, offset), path, offset);
}

/** Like `readLines`, for a file that is already open. */
export function* readOpenLines(file: number): Generator<Line> {
  yield* linesOf(piecesOfOpen(file), "the open file", 0);
}

function* linesOf(pieces: Iterable<Buffer>, path: string, offset: number): Generator<Line> {
  let rest = Buffer.alloc(0);
  let restAt = offset;
  for (const piece of pieces) {
    const data = rest.length ? Buffer.concat([rest, piece]) : piece;
    let start = 0;
    for (let end = data.indexOf(lineFeed); end >= 0; end = data.indexOf(lineFeed, start)) {
      if (end > start) yield { bytes: data.subarray(start, end), offset: restAt + start };
      start = end + 1;
    }
    restAt += start;
    rest = Buffer.from(data.subarray(start));
    if (rest.length > mostLineBytes)
      throw usageError(`${path}, byte ${restAt}: a line has more than ${mostLineBytes / 1e6} MB`);
  }
}

/** Returns the SHA-256 of a file's first bytes, or of the whole file if it is shorter. */
export function hashOfBeginning(path: string, bytes: number): string {
  const hash = createHash("sha256");
  let left = bytes;
  for (const piece of piecesOf(path)) {
    hash.update(piece.subarray(0, left));
    left -= piece.length;
    if (left <= 0) break;
  }
  return hash.digest("hex");
}
