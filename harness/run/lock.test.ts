import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { after, test } from "node:test";
import { ExitCode } from "../../schema/errors.ts";
import { lockLab } from "./lock.ts";

const folder = mkdtempSync("/tmp/lock-test-");
after(() => rmSync(folder, { recursive: true }));

test("a second run is refused the lock, and the lock of a killed process is taken over", async () => {
  const path = `${folder}/run.lock`;
  spawnSync(process.execPath, [
    "--eval",
    `require("net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`,
  ]);
  assert.ok(existsSync(path), "the killed process has left its socket");
  const release = await lockLab(path);
  await assert.rejects(lockLab(path), { exitCode: ExitCode.machineCannot, message: /another run is active/ });
  release();
});

test("a path where no socket can be made is an error, not the lock of a killed run", async () => {
  await assert.rejects(lockLab(`${folder}/none/run.lock`), {
    exitCode: ExitCode.machineCannot,
    message: /cannot lock this lab: .*none\/run\.lock/,
  });
});
