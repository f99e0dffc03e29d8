import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { ExitCode } from "../../schema/errors.ts";
import { lockLab } from "./lock.ts";

const folder = mkdtempSync("/tmp/lock-test-");
after(() => rmSync(folder, { recursive: true }));

test("a run gets the lock of a killed process, and a second run at the same time is refused", async () => {
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

test("if two runs find a killed run's lock at the same time, exactly one gets it", async () => {
  const path = `${folder}/race.lock`;
  for (let round = 0; round < 20; round++) {
    writeFileSync(path, "");
    const both = await Promise.allSettled([lockLab(path), lockLab(path)]);
    const got = both.filter((one) => one.status === "fulfilled");
    assert.equal(got.length, 1);
    for (const { value: release } of got) release();
  }
});

test("a run that is killed releases its lock, although a program that it started still runs", async () => {
  const path = `${folder}/killed.lock`;
  const script = `
    const { lockLab } = await import("./harness/run/lock.ts");
    await lockLab(${JSON.stringify(path)});
    const { spawn } = await import("node:child_process");
    console.log(spawn("sleep", ["60"], { detached: true, stdio: "ignore" }).pid);
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [started] = (await once(holder.stdout, "data")) as [Buffer];
  try {
    await assert.rejects(lockLab(path), /another run is active/);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    (await lockLab(path))();
  } finally {
    process.kill(Number(started));
  }
});

test("if the lock file cannot be created, the error has its path", async () => {
  await assert.rejects(lockLab(`${folder}/none/run.lock`), {
    exitCode: ExitCode.machineCannot,
    message: /cannot lock this lab: .*none\/run\.lock/,
  });
});
