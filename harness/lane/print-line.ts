import { writeSync } from "node:fs";

const stdout = 1;
const waitMs = 1;
const never = new Int32Array(new SharedArrayBuffer(4));

/**
 * Prints a whole line before it returns, so that no reader gets half a record, even if the lane exits at once. A full pipe accepts only
 * a part of the line, or nothing if Node.js has made it non-blocking. In both cases the rest is written later.
 */
export function printLine(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let written = 0; written < bytes.length; ) {
    const some = writeSome(bytes.subarray(written));
    if (some === 0) Atomics.wait(never, 0, 0, waitMs);
    written += some;
  }
}

function writeSome(bytes: Buffer): number {
  try {
    return writeSync(stdout, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
    throw error;
  }
}
