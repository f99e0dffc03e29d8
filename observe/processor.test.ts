import assert from "node:assert/strict";
import { test } from "node:test";
import { comesAndGoes, endedSince, readProcessor } from "./processor.ts";

test("the namespace's lasting programs are read, this one among them", () => {
  const { lasting, labMemoryMiB } = readProcessor();
  assert.match(lasting[process.pid] ?? "", /node/);
  assert.ok(labMemoryMiB > 0);
});

test("a program that ended is named, also when another took its place", () => {
  const reading = { ...readProcessor(), lasting: { 1: "netns-lane", 7: "nginx: worker process" } };
  const after = { ...reading, lasting: { 1: "netns-lane", 9: "nginx: worker process" } };
  assert.deepEqual(endedSince([reading], [after]), ["nginx: worker process"]);
  assert.deepEqual(endedSince([reading], [reading]), []);
});

test("a browser's helpers and a user-mode kernel's come and go; its main process, servers and agents do not", () => {
  for (const command of ["chrome --type=renderer --x", "chrome --type=zygote", "linux.uml mem=64M root=none"])
    assert.match(command, comesAndGoes);
  for (const command of [
    "chrome --headless",
    "chrome --type=gpu-process",
    "nginx: worker process",
    "node servers/agent.ts",
  ])
    assert.doesNotMatch(command, comesAndGoes);
});
