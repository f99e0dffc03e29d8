/** Graphs made up of a few events, walked forward with one thing changed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Cause, event, type LoadEvent, type Span } from "./event.ts";
import { type Change, loadMsIf } from "./what-if.ts";

const start = event(0, "start", "browser");
const after = (
  from: LoadEvent,
  atMs: number,
  takes: Span[],
  rest: LoadEvent["rest"] = "untold",
  news: Partial<Cause> = {},
) => event(1000 * atMs, "x", rest, { causes: [{ from, takes, ...news }] });
const delay = (ms: number): Span => ({ part: "propagation", unit: "rtt", us: 1000 * ms });
const sending = (ms: number): Span => ({ part: "rate", unit: "rate", us: 1000 * ms });
const changes = (load: LoadEvent, ...all: Change[]) =>
  all.map((change) => Math.round(1000 * loadMsIf(load, change)) / 1000);

test("with nothing changed a load comes when it came", () => {
  const load = after(after(start, 50, [delay(40)]), 60, [sending(8)], "browser");
  assert.deepEqual(changes(load, {}), [60]);
});

test("what grows with the round trip and with the rate is scaled, programs' time stays", () => {
  const load = after(after(start, 40, [delay(40)]), 60, [sending(8)], "browser");
  assert.deepEqual(changes(load, { scale: { rtt: 0.5 } }, { scale: { rate: 0.25 } }), [40, 54]);
});

test("where one cause is sooner, the other binds", () => {
  const [one, other] = [after(start, 40, [delay(40)]), after(start, 30, [sending(30)])];
  const load = event(40_000, "load", "browser", { causes: [one, other].map((from) => ({ from, takes: [] })) });
  assert.deepEqual(changes(load, { scale: { rtt: 0.5 } }), [30]);
});

test("without loss nothing waits for a repetition; a repetition that acknowledgments ask for takes round trips", () => {
  const load = after(start, 140, [delay(40)], "fast retransmit");
  assert.deepEqual(changes(load, { lossless: true }, { scale: { rtt: 0.5 } }), [40, 70]);
  assert.deepEqual(changes(after(start, 140, [delay(40)], "timeout"), { scale: { rtt: 0.5 } }), [120]);
});

test("a window is replaced by slow start's: by what that waits for, or by nothing", () => {
  const ready = after(start, 20, [delay(20)]);
  const late = after(start, 100, [delay(100)]);
  const slowStart: Cause["slowStart"] = (initcwnd) => (initcwnd > 10 ? null : { from: ready, takes: [delay(10)] });
  const sent = event(150_000, "sent", "server", {
    causes: [
      { from: start, takes: [] },
      { from: late, takes: [delay(50)], window: "slow start left", slowStart },
    ],
  });
  const load = after(sent, 160, [delay(10)]);
  const from = (segments: number, ...parts: ("window" | "slow start left")[]) => ({
    slowStart: { from: segments, inPlaceOf: new Set(parts) },
  });
  assert.deepEqual(
    changes(load, from(10, "slow start left"), from(300, "slow start left"), from(10, "window")),
    [40, 10, 160],
  );
});

test("a long chain needs no deep stack", () => {
  let last = start;
  for (let i = 1; i <= 50_000; i++) last = after(last, i / 1000, [{ ...sending(0), us: 1 }]);
  assert.deepEqual(changes(last, { scale: { rate: 2 } }), [100]);
});
