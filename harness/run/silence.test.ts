import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Computing, Silence, useOf } from "./silence.ts";

test("while a lane waits, all time counts as silence; while it computes, only its processor time does", () => {
  const silence = new Silence();
  assert.equal(silence.look(10, 0), 10);
  assert.equal(silence.look(10, 0.5), 10.5, "on a busy machine, the lane got a twentieth of a core");
  assert.equal(silence.look(10, 30.5), 20.5, "two busy cores count no more than the time that has passed");
  assert.equal(silence.look(10, 3), 30.5, "a process has ended, so its processor time no longer counts");
  silence.heard();
  assert.equal(silence.look(10, 3), 10);
});

test("Computing.look returns the processor time since a process last waited", () => {
  const computing = new Computing();
  assert.equal(computing.look(3, 10), 0, "the process may have waited before the first look");
  assert.equal(computing.look(8, 10), 5);
  assert.equal(computing.look(13, 10), 10);
  assert.equal(computing.look(18, 11), 0, "it waited");
  assert.equal(computing.look(19, 11), 1);
});

test("useOf adds up the processor time of a process group", { timeout: 60_000 }, async () => {
  const child = spawn("sh", ["-c", "sh -c 'while :; do :; done' & wait"], { detached: true });
  const ended = once(child, "exit");
  try {
    while (useOf(child.pid!).seconds < 0.05) await sleep(20);
    const before = useOf(child.pid!);
    while (useOf(child.pid!).seconds < before.seconds + 0.05) await sleep(20);
    assert.equal(useOf(child.pid!).waits, before.waits, "a loop does not wait");
  } finally {
    process.kill(-child.pid!, "SIGKILL");
  }
  await ended;
  assert.deepEqual(useOf(2 ** 30), { seconds: 0, waits: 0 });
});
