import assert from "node:assert/strict";
import { test } from "node:test";
import { comesAndGoes, endedSince, processorEvidence, readProcessor } from "./processor.ts";

test("readProcessor lists the namespace's long-running programs, including this test's process", () => {
  const { lasting, labMemoryMiB } = readProcessor();
  assert.match(lasting[process.pid] ?? "", /node/);
  assert.ok(labMemoryMiB > 0);
});

test("endedSince names a program that ended, even if another process of the same program has started", () => {
  const reading = { ...readProcessor(), lasting: { 1: "netns-lane", 7: "nginx: worker process" } };
  const after = { ...reading, lasting: { 1: "netns-lane", 9: "nginx: worker process" } };
  assert.deepEqual(endedSince([reading], [after]), ["nginx: worker process"]);
  assert.deepEqual(endedSince([reading], [reading]), []);
});

test("otherMs is the busy time that the lab did not use; in a guest, labMs is the whole busy time", () => {
  const reading = { ...readProcessor(), atMs: 0, busyMs: 1000, labMs: 500 };
  const used = (busyMs: number, labMs: number, isGuest: boolean) => {
    const after = { ...reading, atMs: 900, busyMs: 1000 + busyMs, labMs: 500 + labMs };
    const { labMs: own, otherMs } = processorEvidence([reading], [after], isGuest);
    return [own, otherMs];
  };
  assert.deepEqual(used(860, 320, false), [320, 540]);
  assert.deepEqual(used(860, 320, true), [860, 0]);
  assert.deepEqual(used(680, 950, true), [680, 0]);
});

test("a browser's renderers and a user-mode kernel may end during a load; a browser's main and GPU processes, servers and agents may not", () => {
  for (const command of [
    "chrome --type=renderer --x",
    "chrome --type=zygote",
    "/usr/lib/firefox-esr/firefox-esr -contentproc -isForBrowser 3 tab",
    "linux.uml mem=64M root=none",
  ])
    assert.match(command, comesAndGoes);
  for (const command of [
    "chrome --headless",
    "/usr/lib/firefox-esr/firefox-esr --headless --no-remote",
    "chrome --type=gpu-process",
    "nginx: worker process",
    "node servers/agent.ts",
  ])
    assert.doesNotMatch(command, comesAndGoes);
});
