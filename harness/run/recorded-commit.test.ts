import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { ExitCode } from "../../schema/errors.ts";
import { labIn } from "./recorded-commit.ts";

const folder = mkdtempSync(`${tmpdir()}/lab-commit-`);
after(() => rmSync(folder, { recursive: true }));
const labThat = (command: string) => writeFileSync(`${folder}/lab`, `#!/bin/sh\n${command}\n`, { mode: 0o755 });

test("labIn returns the exit code of another checkout's lab, and whether that lab printed the comparison of a repeated chunk", async () => {
  labThat('[ "$1" = verify ] && exit 5');
  assert.deepEqual(await labIn(folder, ["verify"]), { code: ExitCode.loadsMissing, compared: false });
  labThat('echo Valid: 2 of 2 loads; echo "Chunk 0, made again: 1 of 2 lines are the same, byte for byte."; exit 1');
  assert.deepEqual(await labIn(folder, ["verify"]), { code: ExitCode.failed, compared: true });
});

test("if another checkout's lab is interrupted, this command also fails as interrupted", async () => {
  labThat("exit 130");
  await assert.rejects(labIn(folder, []), { exitCode: ExitCode.interrupted });
});

test("a signal ends the other checkout's lab, and this command fails as interrupted", { timeout: 30_000 }, async () => {
  labThat(`kill -TERM ${process.pid}; exec sleep 60`);
  await assert.rejects(labIn(folder, []), { exitCode: ExitCode.interrupted, message: "stopped by SIGTERM" });
});
