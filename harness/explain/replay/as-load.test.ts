/** A replay in the form of a load: the account of it is that of the load it replays, where nothing is changed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accountOf } from "../account.ts";
import { loadGraph } from "../load-events.ts";
import { ack, ask, loadOver, request, segment } from "../made-up-load.ts";
import { type Part, partNames } from "../parts.ts";
import { replayAsLoad } from "./as-load.ts";
import { noLoss } from "./loss.ts";
import { replay } from "./replay.ts";

const link = { downMbps: 12.112, upMbps: 1e6, rttMs: 100, lossPercent: 0, queuePackets: 50 };

/** Two segments at first, and when both are acknowledged the other four: from 100 to 306 ms. */
const made = loadOver(
  306,
  [request("/", 0, 100, 306)],
  [ask(100), ack(202, 2), ack(304, 4)],
  [0, 1, 2, 3, 4, 5].map((n) => (n < 2 ? segment(150, 201 + n, n) : segment(252, 301 + n, n))),
);

/** @returns the parts of what would be, whole milliseconds, without those that take none */
function partsIn(world: { rttMs: number; initcwnd: number }) {
  const direction = { delayUs: 500 * world.rttMs, queuePackets: 50, loses: noLoss };
  const replayed = replay(loadGraph(made.load, made.trace)!, {
    down: { ...direction, rateMbps: link.downMbps },
    up: { ...direction, rateMbps: link.upMbps },
    server: { initcwnd: world.initcwnd, hystart: true },
    hasLinuxWindow: true,
  })!;
  const { load, trace } = replayAsLoad(replayed, made.load, made.trace, { ...link, rttMs: world.rttMs });
  return rounded(accountOf(load, trace)!.parts);
}
const rounded = (parts: Record<Part, number>) =>
  Object.fromEntries(partNames.map((part) => [part, Math.round(parts[part])] as const).filter(([, ms]) => ms > 0));

test("with nothing changed the parts are the load's own", () =>
  assert.deepEqual(partsIn({ rttMs: 100, initcwnd: 2 }), rounded(accountOf(made.load, made.trace)!.parts)));

test("half the round trip halves what follows from it", () =>
  assert.deepEqual(partsIn({ rttMs: 50, initcwnd: 2 }), { connections: 50, propagation: 50, window: 50, rate: 6 }));

test("from a window of ten there is no wait for it", () =>
  assert.deepEqual(partsIn({ rttMs: 100, initcwnd: 10 }), { connections: 100, propagation: 100, rate: 6 }));
