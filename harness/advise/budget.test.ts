import assert from "node:assert/strict";
import { test } from "node:test";
import { Budget } from "./budget.ts";

/** A clock that each load moves by some seconds. */
function clocked(minutes: number) {
  let ms = 0;
  const budget = new Budget(minutes, () => ms);
  const make = (loads: number, seconds: number) =>
    budget.timed({ loads }, async () => {
      ms += 1000 * seconds;
    });
  return { budget, make };
}

test("before enough loads are made, each is assumed to take a second", async () => {
  const { budget, make } = clocked(10);
  assert.equal(budget.loadsLeft(), 600);
  await make(3, 30);
  assert.equal(budget.loadsLeft(), 570);
});

test("then the pace of the last run counts", async () => {
  const { budget, make } = clocked(10);
  await make(100, 50);
  assert.equal(budget.loadsLeft(), 1100);
  assert.equal(budget.loadsLeft({ loads: 100 }), 1000);
  await make(100, 200);
  assert.equal(budget.loadsLeft(), 175);
});

test("loads that are reserved may leave none", async () => {
  const { budget, make } = clocked(1);
  await make(20, 40);
  assert.equal(budget.loadsLeft({ loads: 11 }), 0);
});

test("a restored budget decides as the one that was interrupted", async () => {
  const first = clocked(10);
  await first.make(40, 60);
  const second = clocked(10);
  second.budget.restore(first.budget.used);
  assert.equal(second.budget.loadsLeft({ loads: 7 }), first.budget.loadsLeft({ loads: 7 }));
});

test("a page whose requests are still to be learnt takes as long as two loads", async () => {
  const { budget } = clocked(1);
  assert.equal(budget.loadsLeft({ loads: 10, documents: 5 }), 40);
  let ms = 0;
  const learning = new Budget(10, () => ms);
  await learning.timed({ loads: 20, documents: 10 }, async () => {
    ms = 80_000;
  });
  assert.equal(learning.used.secondsPerLoad, 2);
});
