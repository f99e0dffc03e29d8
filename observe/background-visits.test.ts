import assert from "node:assert/strict";
import { test } from "node:test";
import type { SenderState } from "../schema/background.ts";
import { backgroundEvidence } from "./background-traffic.ts";
import type { Packet } from "./packet.ts";
import { madePacket, mss } from "./test-packets.fixture.ts";

const server = "198.18.1.11:5212";
const load = { fromMs: 5000, toMs: 6000 };
const link = { fromMs: 900, toMs: 6100 };
const sender = (clientPort: number, congestion: string): SenderState => ({
  ...{ clientPort, congestion, isPastStart: false, waitingBytes: 0 },
});
const told = {
  ...{ drawnMs: 0, settledMs: 1000, pastStartMs: new Map() },
  senders: [sender(40002, "cubic"), sender(40004, "cubic"), sender(40005, "bbr")],
  pageWindows: [
    { client: "198.18.0.10:40006", atLeast: 2, atMost: null },
    { client: "198.18.0.10:40007", atLeast: 3, atMost: 10 },
    { client: "198.18.0.10:40008", atLeast: 1, atMost: 3 },
  ],
};

/** A connection with `segments` data segments from the server. The client resets the connection at `resetMs`. */
function connection(port: number, openedMs: number, segments: number, resetMs?: number, sequence = 99): Packet[] {
  const ends = { source: `198.18.0.10:${port}`, destination: server };
  const packet = (timeMs: number, fromClient: boolean, news: Partial<Packet>) =>
    madePacket({
      timeMs,
      ...(fromClient ? ends : { source: ends.destination, destination: ends.source }),
      ...news,
    });
  return [
    packet(openedMs, true, { syn: true, sequence }),
    packet(openedMs + 40, false, { syn: true, sequence: 0xffffff00, acknowledgment: sequence + 1 }),
    ...Array.from({ length: segments }, (_, i) =>
      packet(openedMs + 100 + i, false, { sequence: (0xffffff01 + i * mss) >>> 0, payloadBytes: mss }),
    ),
    ...(resetMs === undefined ? [] : [packet(resetMs, true, { reset: true })]),
  ];
}
const evidence = (connections: Packet[][]) =>
  backgroundEvidence(
    { packets: connections.flat().toSorted((a, b) => a.timeMs - b.timeMs), arrived: { down: [], up: [] } },
    load,
    link,
    told,
  ) ?? assert.fail();

test("connections that overlap in time belong to one visit; a connection that opens after the visit's end begins the next visit", () => {
  const { visits, flows, strayPackets } = evidence([
    connection(40000, 1000, 3, 3000),
    connection(40001, 1200, 5, 3000.1),
    connection(40002, 3000.2, 4, 5500),
    connection(40003, 5500.1, 2),
    connection(40004, 5700, 0),
  ]);
  assert.deepEqual(visits, [
    { openedMs: 4000, endedMs: -2000, connections: 2, bytes: 8 * mss },
    { openedMs: 1999.8, endedMs: 500, connections: 1, bytes: 4 * mss },
    { openedMs: -500.1, connections: 2, congestion: "cubic", bytes: 2 * mss },
  ]);
  assert.deepEqual([flows, strayPackets], [[], 0]);
});

test("`congestion` names each congestion control of a visit's open connections", () => {
  const { visits } = evidence([connection(40004, 4000, 1), connection(40005, 4000, 1)]);
  assert.deepEqual(visits, [{ openedMs: 1000, connections: 2, congestion: "bbr, cubic", bytes: 2 * mss }]);
});

test("a visit's initcwnd has the highest lower bound and the lowest upper bound among the visit's connections", () => {
  const { visits } = evidence([
    connection(40006, 1000, 2, 3000),
    connection(40007, 1200, 4, 3000),
    connection(40008, 1300, 4, 3000),
    connection(40006, 3100, 3, undefined, 5_000_000),
  ]);
  assert.deepEqual(
    visits?.map(({ initcwnd }) => initcwnd),
    [
      { atLeast: 3, atMost: 3 },
      { atLeast: 2, atMost: null },
    ],
  );
});

test("if the client reuses a port after a reset, the new SYN begins another connection", () => {
  const { visits } = evidence([connection(40000, 1000, 3, 2000), connection(40000, 2000.1, 2, 3000, 5_000_000)]);
  assert.deepEqual(
    visits?.map(({ connections, bytes }) => [connections, bytes]),
    [
      [1, 3 * mss],
      [1, 2 * mss],
    ],
  );
});
