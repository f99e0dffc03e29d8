/** One run that is interrupted, killed and robbed of its parts: it resumes to its end, and leaves nothing behind. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { MarkedRuns } from "../harness/chaos/lab-run.ts";
import { readLoads } from "../harness/journal.ts";

const small = ["--loads", "8", "--only", "page=A", "--only", "servers=1", "--only", "channel=20x2-20ms-0%", "--only", "initcwnd=3"];
const planned = 8 * 2;
let folder = "";
after(() => folder && rmSync(folder, { recursive: true }));

const runs = new MarkedRuns();
const start = (...args: string[]) => runs.start(...args);
const left = () => runs.left();

async function until(what: string, condition: () => boolean, seconds = 90): Promise<void> {
  for (const end = Date.now() + seconds * 1000; !condition(); await sleep(20)) assert.ok(Date.now() < end, `${what}, within ${seconds} s`);
}

const loads = () => readLoads(folder).length;

test("Ctrl-C ends a run at once and says how to resume; a second run is refused", { timeout: 120_000 }, async () => {
  const run = start(...small);
  await until("the run says where it is", () => run.folder() !== undefined);
  folder = run.folder() ?? "";
  await until("two loads", () => loads() >= 2);
  const second = start(...small);
  assert.equal(await second.ended, 1);
  assert.match(second.stderr(), /another run is under way in this lab/);
  run.child.kill("SIGINT");
  const asked = Date.now();
  assert.equal(await run.ended, 130);
  assert.ok(Date.now() - asked < 2000, `took ${Date.now() - asked} ms`);
  assert.match(run.stderr(), new RegExp(`Go on: ./lab run --resume ${folder}`));
  await until("nothing is left", () => left().length === 0, 5);
});

test("kill -9 of the runner takes everything down with it", { timeout: 120_000 }, async () => {
  const had = loads();
  const run = start("--resume", folder);
  await until("two loads more", () => loads() >= had + 2);
  run.child.kill("SIGKILL");
  assert.equal(await run.ended, "SIGKILL");
  await until("nothing is left", () => left().length === 0, 5);
});

test("kill -9 of browser, server and user-mode kernel: the run goes on to its end, every load once", { timeout: 300_000 }, async () => {
  const run = start("--resume", folder);
  for (const part of [/chrom.*--type=gpu|chrom.*--host-resolver-rules/, /nginx: worker|nginx -e/, /^linux\.uml /]) {
    const had = loads();
    await until("two loads more", () => loads() >= had + 2 || run.child.exitCode !== null);
    const victim = left().find(({ command }) => part.test(command));
    assert.ok(victim, `${part} runs`);
    process.kill(victim.pid, "SIGKILL");
  }
  assert.equal(await run.ended, 0, run.stderr());
  const good = readLoads(folder).filter(({ ok }) => ok);
  assert.equal(good.length, planned);
  assert.equal(new Set(good.map(({ block, condition }) => `${block} ${condition}`)).size, planned);
  await until("nothing is left", () => left().length === 0, 5);
});
