import { writeSync } from "node:fs";

const stdout = 1;
const waitMs = 1;
const never = new Int32Array(new SharedArrayBuffer(4));

/** Returns once the whole line is printed: the lane may exit then. A full pipe accepts only a part of a line, or nothing if it is non-blocking. */
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
