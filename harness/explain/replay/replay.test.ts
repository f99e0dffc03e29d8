/** Loads and transfers whose times follow by hand from the rules: 50 ms each way, a full frame in 1 ms. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadGraph } from "../load-events.ts";
import { ack, ask, loadOver, request, segment } from "../made-up-load.ts";
import { Bottleneck } from "./bottleneck.ts";
import { Clock } from "./clock.ts";
import { drawnLoss, lossAsTraced, noLoss } from "./loss.ts";
import { Receiver } from "./receiver.ts";
import { replayedMs } from "./replay.ts";
import { Sender } from "./sender.ts";
import type { World } from "./wire.ts";

const down = { delayUs: 50_000, rateMbps: 12.112, queuePackets: 50, loses: noLoss };
const up = { ...down, rateMbps: 1e6 };
/** The nth segment, the first time that it is sent. */
function once(n: number) {
  let left = 1;
  return (what: string) => what === `${1 + 1448 * n}` && left-- > 0;
}
const [tenth, eleventh] = [once(10), once(11)];
const both = (what: string) => tenth(what) || eleventh(what);
const tenths = (ms: number) => Math.round(10 * ms) / 10;

/** @returns when so many segments, written at once, can all be read, milliseconds */
function transferMs(segments: number, initcwnd: number, news: Partial<typeof down> = {}, hasSyn = false): number {
  const clock = new Clock();
  const [there, back] = [new Bottleneck(clock, { ...down, ...news }), new Bottleneck(clock, up)];
  const acknowledge = () => {
    const receipt = receiver.receipt();
    back.send("an acknowledgment", receipt.frameBytes, () => sender.received(receipt));
  };
  const receiver: Receiver = new Receiver(clock, true, acknowledge, () => {});
  const rules = { initcwnd, hystart: true };
  const sender = new Sender(clock, rules, (one) =>
    there.send(`${one.start}`, one.frameBytes, () => receiver.came(one)),
  );
  if (hasSyn) sender.write({ start: 0, end: 1, frameBytes: 0 });
  else receiver.to = 1; // it has come
  for (let i = 0; i < segments; i++) sender.write({ start: 1 + 1448 * i, end: 1449 + 1448 * i, frameBytes: 1514 });
  clock.runUntil(() => receiver.to === 1 + 1448 * segments);
  return tenths(clock.nowUs / 1000);
}

test("what the window lets out at once takes the delay and the rate", () => assert.equal(transferMs(10, 10), 60));

// Acknowledgments of two leave from 52 to 60 ms, and let out four each from 102 ms on: the link does not pause from 152 ms on.
test("slow start doubles what is under way in a round trip", () => assert.equal(transferMs(30, 10), 172));

// The sixth comes at 55 ms, in the fifth's place; the third after the lost one is reported at 107 ms.
test("three that came beyond a lost one have it sent again", () =>
  assert.equal(transferMs(30, 30, { loses: once(4) }), 158));

// Round trips of 102 to 110 ms: smoothed 104.2. A single packet's probe waits no longer than the timer: 200 ms more.
test("a lost end is sent again by the timer", () => assert.equal(transferMs(11, 20, { loses: once(10) }), 465.2));

test("what finds the queue full is dropped, the packet that is being sent counted", () => {
  const clock = new Clock();
  const link = new Bottleneck(clock, { ...down, queuePackets: 2 });
  const cameMs: number[] = [];
  for (let i = 0; i < 3; i++) link.send("a packet", 1514, () => cameMs.push(tenths(clock.nowUs / 1000)));
  clock.runUntil(() => false);
  assert.deepEqual([cameMs, link.dropped], [[51, 52], 1]);
});

// The SYN's round trip takes 100 ms, others 102 to 110 ms: smoothed 103.2. Two of them and 2 ms after the last acknowledgment, at
// 318.4 ms, the last is sent again; its acknowledgment, 101 ms later, has the one before it sent again, which takes 51 ms.
test("a lost end of two is found by a probe", () => assert.equal(transferMs(12, 20, { loses: both }, true), 470.4));

// Two segments at first, and when both are acknowledged the other four.
const { load, trace } = loadOver(
  306,
  [request("/", 0, 100, 306)],
  [ask(100), ack(202, 2), ack(304, 4)],
  [0, 1, 2, 3, 4, 5].map((n) => (n < 2 ? segment(150, 201 + n, n) : segment(252, 301 + n, n))),
);
const replayed = (news: { down?: Partial<World["down"]>; up?: Partial<World["up"]>; initcwnd?: number }) =>
  tenths(
    replayedMs(loadGraph(load, trace)!, {
      down: { ...down, ...news.down },
      up: { ...up, ...news.up },
      server: { initcwnd: news.initcwnd ?? 2, hystart: true },
      hasLinuxWindow: true,
    })!,
  );

test("with nothing changed a load comes when it came", () => assert.equal(replayed({}), 306));
test("from a window of ten all leaves at once", () => assert.equal(replayed({ initcwnd: 10 }), 206));
test("with half the delay three round trips take half", () =>
  assert.equal(replayed({ down: { delayUs: 25_000 }, up: { delayUs: 25_000 } }), 156));
test("with a tenth of the rate packets take ten times as long, the delay does not", () =>
  assert.equal(replayed({ down: { rateMbps: 1.2112 } }), 360));

test("in another world the same packets are lost, however many others are sent", () => {
  const lossy = loadOver(
    304,
    [request("/", 0, 100, 304)],
    [ask(100), ack(201, 0, 2), ack(202, 0, 3), ack(203, 0, 4), ack(304, 4)],
    [segment(150, null, 0), ...[1, 2, 3].map((n) => segment(150, 200 + n, n)), segment(253, 304, 0)],
  );
  const graph = loadGraph(lossy.load, lossy.trace)!;
  const packets = graph.connections.flatMap(({ flow }) => flow.down.packets);
  const link = { downMbps: 12.112, upMbps: 1000, rttMs: 100, lossPercent: 1, queuePackets: 50 };
  const inWorld = (news: Partial<World["down"]>) =>
    tenths(
      replayedMs(graph, {
        down: { ...down, ...news, loses: lossAsTraced(packets, link) },
        up,
        server: { initcwnd: 4, hystart: true },
        hasLinuxWindow: true,
      })!,
    );
  assert.deepEqual([inWorld({}), inWorld({ rateMbps: 121.12 })], [304, 300.4]);
});

test("drawn losses are as many and as long as the link asks for, and the same for one seed", () => {
  const link = { downMbps: 10, upMbps: 1, rttMs: 100, lossPercent: 5, queuePackets: 50 };
  const drawn = (news: { lossBurstPackets?: number }, seed: number) => {
    const loses = drawnLoss({ ...link, ...news }, seed);
    return Array.from({ length: 100_000 }, () => loses(""));
  };
  const bursts = (all: readonly boolean[]) => all.filter((lost, i) => lost && !all[i - 1]).length;
  for (const [news, length] of [[{}, 1 / 0.95] as const, [{ lossBurstPackets: 4 }, 4] as const]) {
    const all = drawn(news, 1);
    const lost = all.filter(Boolean).length;
    // Four standard deviations: of 5% of 100,000 each by itself, 280; of bursts of four, 2.6 times as many.
    assert.ok(Math.abs(lost - 5000) < 280 * (length > 2 ? 2.6 : 1), `${lost}`);
    assert.ok(Math.abs(lost / bursts(all) / length - 1) < 0.1, `${lost / bursts(all)}`);
  }
  assert.deepEqual(drawn({}, 7), drawn({}, 7));
  assert.notDeepEqual(drawn({}, 7), drawn({}, 8));
});
