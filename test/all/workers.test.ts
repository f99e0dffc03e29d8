/** Runs with workers: killed parts, audits, and pages that a worker's checkout lacks. ../workers.test.ts always runs. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { LabCopy } from "../lab.ts";
import { conditions, copy, digestOf, lab, labIn, makeRun, printed, server } from "../worker-lab.ts";

test("a run with workers has the same digest as a run without workers, even if a worker, the queue's server and the run are killed", async () => {
  const alone = await digestOf(lab(...makeRun));
  const first = lab("worker", server.address, "--lanes", "1");
  await printed(first, /waits for chunks/);
  const killed = lab(...makeRun, "--workers", server.address);
  await printed(first, /made chunk/);
  for (const { child } of [first, killed]) child.kill("SIGKILL");
  await server.kill();
  await server.begin();
  const second = lab("worker", server.address, "--lanes", "1");
  const run = lab("run", "--resume", killed.folder!, "--clock", "virtual", "--workers", server.address);
  assert.equal(await digestOf(run), alone);
  second.child.kill("SIGINT");
  assert.equal((await second.ended).code, 130);
});

test("with --audit 100%, a second worker repeats a chunk of the first worker, and the run succeeds", async () => {
  const first = lab("worker", server.address, "--lanes", "1");
  await printed(first, /waits for chunks/);
  const audited = lab(...makeRun, "--workers", server.address, "--audit", "100%");
  await printed(first, /made chunk \w+-0;/);
  const second = lab("worker", server.address, "--lanes", "1"); // audits need a second worker
  await printed(second, /made chunk \w+-0-audit;/);
  const listed = await lab("workers", server.address).ended;
  assert.match(listed.stdout, /Workers: 2/);
  const { code, stderr } = await audited.ended;
  assert.equal(code, 0, stderr);
  for (const worker of [first, second]) worker.child.kill("SIGINT");
});

test("a run sends a page to a worker whose checkout lacks this page; when the worker ends, the page is removed", async () => {
  copy.put("pages/mine/index.html", "<!doctype html><title>mine</title><p>text");
  const elsewhere = await LabCopy.make({ virtualClock: true });
  try {
    const worker = labIn(elsewhere, "worker", server.address, "--lanes", "1");
    await printed(worker, /waits for chunks/);
    const words = ["run", "--clock", "virtual", "--loads", "1", ...conditions.slice(2), "--only", "protocol=h1"];
    const { code, stderr } = await lab(...words, "--with", "page=mine", "--workers", server.address).ended;
    assert.equal(code, 0, stderr);
    worker.child.kill("SIGINT");
    await worker.ended;
    assert.ok(!existsSync(`${elsewhere.folder}/.lab/pages/mine`));
  } finally {
    elsewhere.remove();
  }
});
