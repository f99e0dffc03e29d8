/** A run is interrupted, its processes are killed, and its disk fills up: it can still be resumed to its end, and leaves no process behind. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { after, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { loadsIn } from "../../../harness/record/records.ts";
import { ExitCode } from "../../../schema/errors.ts";
import { nodeCommand } from "../../../substrate/substrate.ts";
import { only, processesLeft, RunningLab } from "../../lab.ts";
import { again, quiet, whyItGoesOn, whyLoadsAreMissing } from "../../retry.ts";

const small = ["--loads", "8", ...only("page=A", "servers=1", "link=20x2-20ms-0%", "initcwnd=3")];
const planned = 8 * 2;
let folder = "";
after(() => folder && rmSync(folder, { recursive: true }));

const start = (...words: string[]) => new RunningLab(["run", ...words]);

async function until(what: string, condition: () => boolean, seconds = 90): Promise<void> {
  for (const end = Date.now() + seconds * 1000; !condition(); await sleep(20))
    assert.ok(Date.now() < end, `not within ${seconds} s: ${what}`);
}

const loads = () => loadsIn(folder).length;

/** Kills a process of this part of the lab. @returns false if there is no such process, or if it ended with its lane during the search */
function kill(part: RegExp): boolean {
  const victim = processesLeft().find(({ command }) => part.test(command));
  try {
    return victim !== undefined && process.kill(victim.pid, "SIGKILL");
  } catch {
    return false;
  }
}

/** Waits until a run ends, and resumes it if loads are missing because the machine was too busy. @returns how the run ended */
async function endOf(t: TestContext, first: RunningLab, runFolder: string) {
  return again(
    t,
    async (before) => {
      const run = before ? start("--resume", runFolder) : first;
      return run.ended;
    },
    ({ code }) => whyItGoesOn(code, runFolder),
  );
}

test(
  "while a run is active, another run is refused; Ctrl-C ends the active run within 2 s and prints how to resume it",
  { timeout: 300_000 },
  async () => {
    await quiet();
    const run = start(...small);
    await until("the run prints its folder", () => run.folder !== undefined);
    folder = run.folder ?? "";
    await until("two loads", () => loads() >= 2);
    const second = start(...small);
    assert.equal((await second.ended).code, ExitCode.machineCannot);
    assert.match(second.stderr, /another run is active in this lab/);
    run.child.kill("SIGINT");
    const asked = Date.now();
    assert.equal((await run.ended).code, 130);
    assert.ok(Date.now() - asked < 2000, `took ${Date.now() - asked} ms`);
    assert.match(run.stderr, new RegExp(`To continue: ./lab run --resume ${folder}`));
    await until("nothing is left", () => processesLeft().length === 0, 5);
  },
);

test("kill -9 of the runner ends every process of the run", { timeout: 120_000 }, async () => {
  const had = loads();
  const run = start("--resume", folder);
  await until("two loads more", () => loads() >= had + 2);
  run.child.kill("SIGKILL");
  assert.equal((await run.ended).code, "SIGKILL");
  await until("nothing is left", () => processesLeft().length === 0, 5);
});

test(
  "after kill -9 of browser, server and shaper, the run completes and has recorded every load once",
  {
    timeout: 900_000,
  },
  async (t) => {
    const run = start("--resume", folder);
    for (const part of [
      /chrom.*--type=gpu|chrom.*--host-resolver-rules/,
      /nginx: worker|nginx -e/,
      /^linux\.uml |shaper\/agent\.ts/,
    ]) {
      const had = loads();
      await until("two loads more", () => loads() >= had + 2 || run.child.exitCode !== null);
      await until(`${part} runs and is killed`, () => kill(part), 30);
    }
    const { code, stderr } = await endOf(t, run, folder);
    assert.equal(code, 0, stderr);
    const good = loadsIn(folder).filter(({ ok }) => ok);
    assert.equal(good.length, planned);
    assert.equal(new Set(good.map(({ block, condition }) => `${block} ${condition}`)).size, planned);
    await until("nothing is left", () => processesLeft().length === 0, 5);
  },
);

/** A shell script that resumes the run on a disk of this size, in a separate mount namespace. It copies the disk's content back at the end. */
const onSmallDisk = (kib: number) => `
  mount -t tmpfs -o size=${kib}k lab "$1/full" && cp "$1/run.json" "$1/full" && ${nodeCommand("harness/cli/main.ts", "run", "--resume").join(" ")} "$1/full"
  code=$?
  cp -r "$1/full" "$1/copy"
  exit $code`;

async function runOnSmallDisk(): Promise<{ code: number; said: string }> {
  mkdirSync(`${folder}/full`, { recursive: true });
  rmSync(`${folder}/copy`, { recursive: true, force: true });
  const child = spawn("unshare", ["--mount", "sh", "-c", onSmallDisk(200), "sh", folder], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code] = (await once(child, "close")) as [number];
  return { code, said };
}

test(
  "a full disk ends the run; finished loads are kept, and the run can be resumed on another disk",
  {
    timeout: 900_000,
  },
  async (t) => {
    const copy = `${folder}/copy`;
    const good = () => loadsIn(copy).filter(({ ok }) => ok).length;
    const { code, said } = await again(t, runOnSmallDisk, () => (good() > 0 ? [] : whyLoadsAreMissing(copy)));
    assert.equal(code, 1, said);
    assert.match(said, /ENOSPC.*|no space left/i);
    assert.match(said, /free some space, then resume|every finished load is kept/);
    const kept = good();
    assert.ok(kept > 0 && kept < planned, `${kept} loads were kept`);
    const resumed = await endOf(t, start("--resume", copy), copy);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.equal(good(), planned);
  },
);
