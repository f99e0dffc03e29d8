import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import type { LoadChunk } from "../../schema/lane-messages.ts";
import type { LoadRecord } from "../../schema/records.ts";
import { spoken } from "../../schema/spoken-time.ts";
import { planBlocks } from "../plan/blocks.ts";
import type { RunEvent } from "../run/run-events.ts";
import { conditions as conditionsOf } from "../tables/synthetic-loads.fixture.ts";
import { timesOf } from "./condition-times.ts";
import { showProgress } from "./progress.ts";
import { Standing } from "./standing.ts";

const conditions = conditionsOf({ link: ["10x1-20ms-0%", "20x2-100ms-1%"] });
const plan = planBlocks(conditions, 2, 1);
const even = { of: () => 1, inSeconds: false };
const chunk: LoadChunk = {
  number: 0,
  calibrate: [conditions[0]!, conditions[3]!].map(({ settings }) => settings),
  loads: plan,
} as never;
const calibrated = (i: number, final = true): RunEvent => ({
  kind: "message",
  chunk,
  message: {
    kind: "calibration",
    calibration: { link: "x", configured: chunk.calibrate[i]!.link, attempt: 1, deviations: ["slow"], final },
  } as never,
});
const loaded = (i: number, ok = true): RunEvent => {
  const load = { condition: plan[i]!.condition.id, block: plan[i]!.block, ok, pageLoadMs: 1234.5, reason: "it broke" };
  return { kind: "message", chunk, message: { kind: "load", load: load as unknown as LoadRecord } };
};

test("the current step is shown from the start of a run: measuring each link, starting the browser, each load", () => {
  const standing = new Standing(plan, plan, even);
  const doing = (event: RunEvent) => {
    standing.event(event);
    return standing.doing;
  };
  assert.equal(doing({ kind: "lane starts", chunk }), "measuring link 1 of 2: 10/1 Mb/s, 20 ms, 0%");
  assert.equal(doing(calibrated(0, false)), "x was out of tolerance: measuring it again, attempt 2");
  assert.equal(doing(calibrated(0)), "measuring link 2 of 2: 20/2 Mb/s, 100 ms, 1%");
  assert.equal(doing(calibrated(1)), "starting the browser");
  assert.match(doing(loaded(0)), /: 1235 ms$|: 1234 ms$/);
});

test("secondsLeft is null until two loads have ended, and then weights each remaining load by its condition", () => {
  let now = 0;
  const slow = plan[3]!.condition.id;
  const standing = new Standing(
    plan,
    plan,
    { of: (condition) => (condition === slow ? 10 : 1), inSeconds: false },
    () => now,
  );
  standing.event(loaded(0));
  assert.equal(standing.secondsLeft(), null);
  now = 1000;
  standing.event(loaded(1));
  const [madeWeight, weight] = [plan.slice(0, 2), plan].map((loads) =>
    loads.reduce((sum, { condition }) => sum + (condition.id === slow ? 10 : 1), 0),
  );
  const lastWeight = plan[1]!.condition.id === slow ? 10 : 1;
  assert.equal(standing.secondsLeft(), (weight! - madeWeight!) / lastWeight);
});

test("before two loads have ended, the remaining time is the sum of the loads' estimated times, plus 15 s for each link left to measure", () => {
  const standing = new Standing(plan, plan, { of: () => 60, inSeconds: true });
  standing.event({ kind: "lane starts", chunk });
  assert.equal(standing.left(), "about 9 min left");
  standing.event(calibrated(0));
  standing.event(calibrated(1));
  assert.equal(standing.left(), "about 8 min left");
});

test("durations are rounded, and printed in seconds, minutes, or hours and minutes", () =>
  assert.deepEqual([3, 61, 90, 125, 3600, 7500].map(spoken), [
    "10 s",
    "70 s",
    "2 min",
    "3 min",
    "1 h 00 min",
    "2 h 05 min",
  ]));

test("without a terminal, progress is printed as lines: the current step, failures, and the number of loads", () => {
  const stream = new PassThrough().setEncoding("utf8");
  const progress = showProgress(new Standing(plan, plan, even), stream as unknown as NodeJS.WriteStream);
  progress.event({ kind: "lane starts", chunk });
  progress.event({ kind: "lane broke", message: "the browser died" });
  progress.event(loaded(0, false));
  for (const i of plan.keys()) progress.event(loaded(i));
  progress.stop();
  assert.deepEqual(String(stream.read()).trim().split("\n"), [
    "measuring link 1 of 2: 10/1 Mb/s, 20 ms, 0%",
    "the browser died; starting another lane",
    `failed: ${plan[0]!.condition.id}: it broke`,
    "1/8 loads, time left not known yet",
    "8/8 loads, done",
  ]);
});

test("each load updates its condition's times: median, minimum, maximum, and the number of loads made", () => {
  const [first, ...others] = timesOf(plan);
  assert.deepEqual([first!.described(), first!.loads, others.length], ["no load yet", 2, conditions.length - 1]);
  first!.add(1200);
  first!.add(1310);
  assert.equal(first!.described(), "median 1.25 s (1.20 to 1.31 s), 2 of 2 loads");
});

/** The text that is written to a terminal. */
function terminalOf(show: (stream: NodeJS.WriteStream) => void): string {
  const terminal = Object.assign(new PassThrough().setEncoding("utf8"), { isTTY: true, columns: 200 });
  const methods = { cursorTo: () => true, moveCursor: () => true, clearLine: () => true };
  show(Object.assign(terminal, methods) as unknown as NodeJS.WriteStream);
  return String(terminal.read());
}

test("on a terminal, each condition has a line with its times", () => {
  const text = terminalOf((stream) => {
    const progress = showProgress(new Standing(plan, plan, even), stream, timesOf(plan));
    progress.event(loaded(0));
    progress.stop();
  });
  assert.match(text, /1\/8 loads/);
  assert.match(text, /median 1\.2\d s \(1\.2\d to 1\.2\d s\), 1 of 2 loads/);
  assert.match(text, /no load yet/);
});

test("on a terminal, text that is printed just before progress ends still appears above the progress bar", () => {
  const text = terminalOf((stream) => {
    const progress = showProgress(new Standing(plan, plan, even), stream);
    progress.print("All loads are made.");
    progress.stop();
  });
  assert.match(text, /All loads are made\.\n.*0\/8 loads/s);
});
