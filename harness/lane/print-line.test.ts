import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

const bytes = 1_000_000; // more than any pipe holds

test("a line longer than a pipe's buffer arrives completely, even if its reader is slow and its writer exits at once", async () => {
  const script = `process.stdout; // this makes the pipe non-blocking
    const { printLine } = await import("./harness/lane/print-line.ts");
    printLine("x".repeat(${bytes})); process.exit(0);`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "readable");
  let length = 0;
  for await (const chunk of child.stdout) {
    length += (chunk as Buffer).length;
    await sleep(5);
  }
  assert.equal(length, bytes + 1);
});
