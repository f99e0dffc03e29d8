/** A run on an always busy machine stops early, and the error suggests what to do. A machine that is busy only at times does not stop a run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoadRecord } from "../../schema/records.ts";
import { blockRun } from "../record/find-run.ts";
import { readRun } from "../record/records.ts";
import { BusyMachine } from "./busy-machine.ts";
import { type plan, record, runWith } from "./test-lanes.fixture.ts";

const lines = [...readRun(blockRun).loads()].flatMap((line) => ("load" in line && line.load.ok ? [line.load] : []));
const good = lines[0]!;
const refused = (otherMs: number): LoadRecord => {
  const { pageLoadMs: _, ok: __, ...line } = good;
  const processor = { ...good.evidence.processor, elapsedMs: 1000, otherMs, stealMs: 0 };
  return {
    ...line,
    ok: false,
    reason: "it was refused",
    cause: "evidence",
    evidence: { ...good.evidence, processor },
  } as LoadRecord;
};
/** Counts the loads that a run makes until it stops or has made all of `loads`. */
function madeOf(loads: LoadRecord[]): number {
  const busy = new BusyMachine();
  let made = 0;
  try {
    for (const load of loads) {
      made++;
      busy.note(load);
    }
  } catch {}
  return made;
}
const times = (count: number, load: LoadRecord) => Array.from({ length: count }, () => load);

test("a run stops after 6 loads in a row that lost processor time to other programs; once a load was good, it stops after 60 in a row", () => {
  assert.equal(madeOf(times(100, refused(800))), 6);
  assert.equal(madeOf([good, ...times(100, refused(800))]), 61);
  assert.equal(madeOf(Array.from({ length: 50 }, () => [...times(5, refused(800)), good]).flat()), 300);
  assert.equal(madeOf(times(100, refused(100))), 100, "a load that was refused for another reason does not count");
  const timeOut = { ...refused(800), cause: "time-out" } as LoadRecord;
  assert.equal(madeOf(times(100, timeOut)), 100, "a time-out is a result, not a refusal");
});

test("if a busy machine stops a run on the real clock, the error has the reason and a remedy, and the loads' lines are kept", async () => {
  const kept: unknown[] = [];
  const busy = ({ block, attempt, condition: { id: condition } }: (typeof plan)[number]) => {
    const line = { ...refused(800), ...record({ block, attempt, condition: { id: condition } } as never, false) };
    kept.push(line);
    return { ...line, evidence: refused(800).evidence } as never;
  };
  await assert.rejects(runWith(busy, {}), {
    exitCode: 5,
    message: /^this machine is too busy: 6 loads in a row .* other programs took 0\.80 cores .*--clock virtual/,
  });
  assert.equal(kept.length, 6);
});
