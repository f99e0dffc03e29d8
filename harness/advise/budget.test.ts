import assert from "node:assert/strict";
import { test } from "node:test";
import type { StartProgress } from "../run/run-events.ts";
import { Budget } from "./budget.ts";

const load = { kind: "message", message: { kind: "load" } } as never;
const silent: StartProgress = () => ({ event() {}, print() {}, stop() {} });

/** A budget whose clock moves only while `make` is running. */
function clocked(minutes: number) {
  let ms = 0;
  const budget = new Budget(minutes, () => ms);
  /** Makes a run that learns pages, starts a guest, and makes loads. */
  const make = (loads: number, each: { load: number; document?: number; start?: number }, documents = 0) =>
    budget.timed({ loads, documents }, silent, async (start) => {
      ms += 1000 * documents * (each.document ?? 0);
      const progress = start({} as never);
      ms += 1000 * (each.start ?? 0);
      for (let i = 0; i < loads; i++) {
        if (i > 0) ms += 1000 * each.load;
        progress.event(load);
      }
    });
  return { budget, make };
}

test("until enough loads are made, a load is assumed to take 1 s, learning a page 3 s, and starting a run 15 s", async () => {
  const { budget, make } = clocked(10);
  assert.equal(budget.loadsLeft(null), 600 - 15);
  assert.equal(budget.loadsLeft(null, 10), 600 - 15 - 30);
  assert.equal(budget.loadsLeft({ loads: 100, documents: 10 }), 600 - 15 - (100 + 30 + 15));
  await make(3, { load: 10 });
  assert.equal(budget.loadsLeft(null), 600 - 20 - 15);
});

test("the time per load comes from the last run with enough loads, and the time to learn a page from the last run that learnt enough pages", async () => {
  const { budget, make } = clocked(10);
  await make(101, { load: 0.5, document: 4, start: 20 }, 10);
  assert.deepEqual(budget.used, { usedSeconds: 110, secondsPerLoad: 0.5, secondsPerDocument: 4, secondsToStart: 20 });
  assert.equal(budget.loadsLeft(null), (600 - 110 - 20) / 0.5);
  await make(101, { load: 2, start: 10 });
  assert.equal(budget.loadsLeft({ loads: 40 }), (600 - 320 - 10 - (10 + 80)) / 2);
  assert.equal(budget.used.secondsPerDocument, 4);
});

test("if a later run needs all the time that is left, no load is left for the next run", async () => {
  const { budget, make } = clocked(1);
  await make(21, { load: 2 });
  assert.equal(budget.loadsLeft({ loads: 11 }), 0);
});

test("a budget that is restored from a record allows as many loads as the budget of the interrupted process", async () => {
  const first = clocked(10);
  await first.make(40, { load: 1.5, document: 2, start: 5 }, 4);
  const second = clocked(10);
  second.budget.restore(first.budget.used);
  assert.equal(second.budget.loadsLeft({ loads: 7 }, 3), first.budget.loadsLeft({ loads: 7 }, 3));
});
