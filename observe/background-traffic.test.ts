import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sighting } from "../schema/observation.ts";
import { backgroundEvidence, type Told } from "./background-traffic.ts";
import type { Packet } from "./packet.ts";
import { client, madePacket, mss } from "./test-packets.fixture.ts";

const [serverDown, serverUp] = ["198.18.1.11:5210", "198.18.1.11:5211"];
const told: Told = {
  drawnMs: 5,
  settledMs: 1000,
  senders: [{ clientPort: 40000, congestion: "cubic", isPastStart: true, waitingBytes: 7 }],
  pastStartMs: new Map([[40000, 2500]]),
  pageWindows: [],
};
const load = { fromMs: 5000, toMs: 6000 };
const link = { fromMs: 900, toMs: 6100 };

let mark = 0;
/** A packet between the client and one of the server's ports. */
const packet = (timeMs: number, fromClient: boolean, server: string, news: Partial<Packet> = {}): Packet =>
  madePacket({
    ...{ timeMs, mark: ++mark, source: fromClient ? client : server, destination: fromClient ? server : client },
    ...news,
  });
const opening = (server: string) => [
  packet(1000, true, server, { syn: true, sequence: 99 }),
  packet(1050, false, server, { syn: true, sequence: 0xffffff00, acknowledgment: 100 }),
];
const sightings = (packets: readonly Packet[]): Sighting[] =>
  packets.map(({ timeMs, frameBytes, mark: key }) => [timeMs, frameBytes, key]);
const nothing = { down: [], up: [] };

/** A flow towards the client that delivers a full segment each 100 ms from 2000 ms on, acknowledged at once. */
const flow = [
  ...opening(serverDown),
  ...Array.from({ length: 50 }, (_, i) => [
    packet(2000 + 100 * i, false, serverDown, { payloadBytes: mss, frameBytes: 1514 }),
    packet(2000 + 100 * i, true, serverDown, { acknowledgment: (0xffffff01 + (i + 1) * mss) >>> 0 }),
  ]).flat(),
];

test("backgroundEvidence is null for a load without background flows", () =>
  assert.equal(backgroundEvidence({ packets: [], arrived: nothing }, load, link, told), null));

test("for a flow to the client, goodBytes has the bytes that the client acknowledged in all, in the second before the load, and during it", () => {
  const { flows, sinceSetUpMs, linkMs, drawnMs, strayPackets } =
    backgroundEvidence({ packets: flow, arrived: nothing }, load, link, told) ?? assert.fail();
  assert.deepEqual(flows, [
    {
      ...{ direction: "down", clientPort: 40000, openedMs: 4000, congestion: "cubic", waitingBytes: 7 },
      ...{ settledMs: 2500, goodBytes: { ever: 41 * mss, before: 10 * mss, during: 10 * mss } },
    },
  ]);
  assert.deepEqual([sinceSetUpMs, linkMs, drawnMs, strayPackets], [4100, 5200, 5, 0]);
});

test("for a flow from the client, goodBytes counts the bytes that the server acknowledged, and endedMs is the time of the server's reset", () => {
  const packets = [
    ...opening(serverUp),
    packet(5500, true, serverUp, { sequence: 100, payloadBytes: mss }),
    packet(5600, false, serverUp, { acknowledgment: 100 + mss }),
    packet(5700, false, serverUp, { reset: true }),
  ];
  const unknown = { ...told, senders: [], pastStartMs: new Map() };
  const seen = backgroundEvidence({ packets, arrived: nothing }, load, link, unknown) ?? assert.fail();
  const goodBytes = { ever: mss, before: 0, during: mss };
  assert.deepEqual(seen.flows, [{ direction: "up", clientPort: 40000, openedMs: 4000, endedMs: 700, goodBytes }]);
});

test("bytes are counted when they arrive, and packets' marks show which bytes are background traffic", () => {
  const own = [packet(5300, false, "198.18.1.11:4432", { frameBytes: 500 }), packet(4999, false, "198.18.1.11:4432")];
  const acks = flow.filter(({ source }) => source === client);
  const arrived = { down: sightings([...flow.filter(({ source }) => source !== client), ...own]), up: sightings(acks) };
  const seen = backgroundEvidence({ packets: flow, arrived }, load, link, told) ?? assert.fail();
  const { before, during, inSteps } = seen;
  assert.deepEqual(inSteps, { down: Array(10).fill(1514), up: Array(10).fill(66) });
  const up = { bytes: 660, ofBackground: 660 };
  assert.deepEqual(before, { ms: 1000, down: { bytes: 15140 + 66, ofBackground: 15140 }, up });
  assert.deepEqual(during, { ms: 1000, down: { bytes: 15140 + 500, ofBackground: 15140 }, up });
});

test("strayPackets counts the packets of a flow whose SYN was not captured", () => {
  const late = [packet(1500, false, serverDown), packet(1600, true, serverDown)];
  assert.equal(backgroundEvidence({ packets: late, arrived: nothing }, load, link, told)?.strayPackets, 2);
});
