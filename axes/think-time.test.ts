import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { isInconclusive } from "./axis.ts";
import { axis } from "./think-time.axis.ts";

const registries = {
  protocols: { h1c: { scheme: "http" }, h1: { scheme: "https" } },
  defaults: { thinkTime: 0 },
  clients: { replay: { replays: { pipelines: false } }, pipelining: { replays: { pipelines: true } } },
} as unknown as Registries;
const all = { protocol: "h1c", client: "replay", down: 10, up: 1, rtt: 100, loss: 0, queue: 50 } as ConditionValues;

/**
 * @param tookMs the request's time at the client
 * @param turnMs the server's think time, from its packets
 * @param lostPackets packets lost towards the client; if there are any, the server retransmitted one segment
 */
const evidence = (tookMs: number, turnMs: number | null, lostPackets = 0) =>
  ({
    connections: [{ requests: [{ path: "/9KB", bytes: 10_000, startMs: 0, endMs: tookMs }] }],
    packets: {
      flows: [
        {
          ...{ host: "s1.lab", clientPort: 4000, upRetransmittedSegments: 0 },
          server: { sentSegments: 7, turnMs, retransmittedSegments: Math.min(1, lostPackets) },
        },
      ],
    },
    link: { down: { lostPackets, queueDroppedPackets: 0 }, up: { lostPackets: 0, queueDroppedPackets: 0 } },
  }) as unknown as Evidence;
const proof = (ms: number, ...seen: Parameters<typeof evidence>) => axis.proves(ms, all, evidence(...seen), registries);

test("a think time is confirmed if the server's packets show that it responded after this time", () => {
  assert.equal(proof(200, 310, 200.3), "confirmed");
  assert.equal(proof(200, 310, 199.2), "confirmed", "its timer counts whole milliseconds");
  assert.equal(proof(0, 110, 0.2), "confirmed");
});

test("a server that responds sooner or later than configured contradicts the think time", () => {
  const words = (ms: number, turnMs: number) => JSON.stringify(proof(ms, 700, turnMs));
  assert.match(words(200, 0.3), /connection 4000 to s1\.lab: its server answered after 0\.3 ms instead of 200/);
  assert.match(words(200, 400), /answered after 400 ms instead of 200/);
  assert.match(words(0, 200), /answered after 200 ms instead of 0/);
});

test("a request that takes less than RTT, transmission time and think time together contradicts the think time", () =>
  assert.deepEqual(proof(200, 210, 200.1), {
    contradicts: ["/9KB took 210.0 ms; with 200 ms of think time it takes at least 307.0 ms"],
  }));

test("if no response was captured, the think time is inconclusive after a loss, and contradicted without a loss", () => {
  assert.ok(isInconclusive(proof(200, 310, null, 1)));
  assert.match(JSON.stringify(proof(200, 310, null)), /without retransmissions, and the link lost no packet/);
});

test("after a retransmission, an immediate response still confirms a think time of 0; a late response and a think time of 200 ms are inconclusive", () => {
  assert.equal(proof(0, 110, 0.2, 1), "confirmed");
  assert.ok(isInconclusive(proof(0, 900, 600, 1)));
  assert.ok(isInconclusive(proof(200, 900, 0.2, 1)));
});

test("a think time of 200 ms is refused over TLS and with pipelining; a think time of 0 is not observable over TLS", () => {
  assert.match(axis.refuses!(200, { ...all, protocol: "h1" }, registries)!, /over h1 requests are encrypted/);
  assert.match(
    axis.refuses!(200, { ...all, client: "pipelining" }, registries)!,
    /client pipelining pipelines requests/,
  );
  assert.equal(axis.refuses!(0, { ...all, protocol: "h1" }, registries), null);
  assert.match(JSON.stringify(axis.proves(0, { ...all, protocol: "h1" }, evidence(1, 1), registries)), /notObservable/);
});

test("if jitter reorders packets, retransmissions make the think time not observable, but a request that is too quick still contradicts it", () => {
  const shaken = (tookMs: number, lostPackets: number, retransmittedSegments = 2) => {
    const given = evidence(tookMs, 200.3, lostPackets);
    const [flow] = given.packets.flows;
    const transit = { reordered: 3 };
    return {
      ...given,
      packets: {
        path: { down: { transit }, up: { transit } },
        flows: [{ ...flow, server: { ...flow?.server, retransmittedSegments } }],
      },
    } as unknown as Evidence;
  };
  const judged = (given: Evidence, reorder: "on" | "off" = "on") =>
    JSON.stringify(axis.proves(200, { ...all, reorder }, given, registries));
  for (const lostPackets of [0, 1]) assert.match(judged(shaken(310, lostPackets)), /notObservable.*reordered packets/);
  assert.match(judged(shaken(310, 0), "off"), /contradicts.*the link lost no packet/);
  assert.match(judged(shaken(210, 0)), /contradicts.*it takes at least 307\.0 ms/);
  assert.equal(judged(shaken(310, 0, 0)), '"confirmed"');
});
