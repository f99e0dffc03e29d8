import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionEvidence, Evidence, FlowEvidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis as idleAxis } from "./idle.axis.ts";
import { axis as slowStartAxis } from "./slow-start-after-idle.axis.ts";

const registries = {
  protocols: { h1: {}, h2: {}, h3: { transport: "quic" } },
  defaults: { idle: 0, slowStartAfterIdle: "on" },
  pages: { C: { objects: { one: 1, two: 1 } }, single: { objects: {} } },
  clients: { chromium: {}, replay: { replays: {} } },
} as unknown as Registries;
const link = { rtt: 100, down: 10, up: 1, queue: 50 };
const all = {
  page: "C",
  protocol: "h2",
  client: "replay",
  congestion: "cubic",
  initcwnd: 10,
  ...link,
} as ConditionValues;

const requestsAt = (...times: [startMs: number, endMs: number | null][]) =>
  ({
    connections: [{ requests: times.map(([startMs, endMs]) => ({ startMs, endMs })) } as ConnectionEvidence],
  }) as Evidence;
const idle = (ms: number, evidence: Evidence, change: Partial<ConditionValues> = {}) =>
  idleAxis.proves(ms, { ...all, ...change }, evidence, registries);
const twoHalves = requestsAt([0, 400], [150, 900], [5900, 6100]);

test("the idle time must equal the longest time in which the client waited for no response", () => {
  assert.equal(idle(5000, twoHalves), "confirmed");
  assert.match(
    JSON.stringify(idle(2000, twoHalves)),
    /no request for 5000\.0 ms after a response; 2000 ms is configured/,
  );
  assert.match(JSON.stringify(idle(0, twoHalves)), /0 ms is configured/);
  assert.equal(idle(0, requestsAt([0, 400], [150, 900])), "confirmed");
});

test("no idle time is counted after a request that was never answered", () =>
  assert.match(JSON.stringify(idle(5000, requestsAt([0, 400], [150, null], [5900, 6100]))), /no request for 0\.0 ms/));

test("an idle time of 0 is not observable with a browser; 5 s are refused for browsers, connections=each and pages with fewer than two objects", () => {
  assert.deepEqual(Object.keys(idle(0, twoHalves, { client: "chromium" })), ["notObservable"]);
  const why = (change: Partial<ConditionValues>) => idleAxis.refuses!(5000, { ...all, ...change }, registries);
  assert.equal(why({}), null);
  assert.match(why({ client: "chromium" })!, /any time with client replay/);
  assert.match(why({ connections: "each" })!, /no connection is reused/);
  assert.match(why({ page: "single" })!, /fewer than two objects/);
});

const afterIdle = { idleMs: 5000, flightSegments: 10, windowWasFull: true, mostBefore: 40 };
const flow = (news: Partial<typeof afterIdle>, retransmittedSegments = 0) => ({
  host: "s1.lab",
  clientPort: 40_000,
  server: { sentSegments: 100, retransmittedSegments, afterIdle: { ...afterIdle, ...news } },
});
const slowStart = (
  value: "on" | "off",
  flows: ReturnType<typeof flow>[],
  {
    change = {},
    lostPackets = 0,
    reordered = 0,
  }: { change?: Partial<ConditionValues>; lostPackets?: number; reordered?: number } = {},
) => {
  const direction = { lostPackets, queueDroppedPackets: 0 };
  const way = { transit: { reordered } };
  const evidence = {
    packets: { flows: flows as unknown as FlowEvidence[], path: { down: way, up: way } },
    link: { down: direction, up: direction },
  } as unknown as Evidence;
  return slowStartAxis.proves(value, { ...all, ...change }, evidence, registries);
};

test("after idle time, a first flight of the initial window's size confirms slowStartAfterIdle=on, and a larger one slowStartAfterIdle=off", () => {
  assert.equal(slowStart("on", [flow({})]), "confirmed");
  assert.match(JSON.stringify(slowStart("off", [flow({})])), /10 segments at once after 5000 ms of idle time/);
  assert.equal(slowStart("off", [flow({ flightSegments: 40 })]), "confirmed");
  assert.match(JSON.stringify(slowStart("on", [flow({ flightSegments: 40 })])), /40 segments at once/);
});

test("slow start after idle is not observable if the window never exceeded the initial window, or if the response or the idle time is too short", () => {
  for (const news of [{ mostBefore: 10 }, { windowWasFull: false, flightSegments: 4 }])
    for (const value of ["on", "off"] as const)
      assert.deepEqual(Object.keys(slowStart(value, [flow(news)])), ["notObservable"]);
  assert.deepEqual(Object.keys(slowStart("on", [flow({ idleMs: 900, flightSegments: 20 })])), ["notObservable"]);
});

test("after losses, a first flight of exactly the initial window confirms `on` and leaves `off` inconclusive; other flights leave `on` inconclusive", () => {
  const lossy = (value: "on" | "off", flightSegments: number) =>
    slowStart(value, [flow({ flightSegments }, 3)], { lostPackets: 3 });
  assert.equal(lossy("on", 10), "confirmed");
  assert.deepEqual(Object.keys(lossy("on", 7)), ["inconclusive"]);
  assert.deepEqual(Object.keys(lossy("off", 10)), ["inconclusive"]);
  assert.deepEqual(Object.keys(lossy("on", 40)), ["inconclusive"], "the time-out may be longer than the idle time");
});

test("if jitter reorders packets, retransmissions make slow start after idle not observable, even if packets were also lost", () => {
  const shaken = (value: "on" | "off", flightSegments: number, retransmittedSegments = 3) =>
    slowStart(value, [flow({ flightSegments }, retransmittedSegments)], {
      change: { reorder: "on" },
      lostPackets: 3,
      reordered: 9,
    });
  assert.match(JSON.stringify(shaken("on", 7)), /notObservable.*jitter reordered packets/);
  assert.match(JSON.stringify(shaken("off", 10)), /notObservable.*jitter reordered packets/);
  assert.match(JSON.stringify(shaken("on", 40, 0)), /contradicts.*40 segments at once/);
});

test("slow start after idle cannot be switched off with BBR or over QUIC", () => {
  const why = (change: Partial<ConditionValues>) => slowStartAxis.refuses!("off", { ...all, ...change }, registries);
  assert.equal(why({}), null);
  assert.match(why({ congestion: "bbr" })!, /BBR never returns to slow start/);
  assert.match(why({ protocol: "h3" })!, /h3 has no TCP/);
});
