import { writeSync } from "node:fs";

const waitMs = 1;
const never = new Int32Array(new SharedArrayBuffer(4));

/**
 * A line, whole, before anything else is done: what reads it must never see half a record, also where its writer exits at once.
 * A pipe that is full takes a part of it, or nothing (EAGAIN, where another process of its made it one that does not block).
 * @param file descriptor
 */
export function writeLine(file: number, line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let written = 0; written < bytes.length; ) {
    const some = writeSome(file, bytes.subarray(written));
    if (some === 0) Atomics.wait(never, 0, 0, waitMs);
    written += some;
  }
}

function writeSome(file: number, bytes: Buffer): number {
  try {
    return writeSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
    throw error;
  }
}
