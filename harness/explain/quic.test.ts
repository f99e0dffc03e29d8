/** Loads over QUIC on a link with 50 ms one-way delay that transmits a full frame in 1 ms, so it is known where their time went. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestEvidence } from "../../schema/evidence.ts";
import { type PieceRow, pieceColumnsOf } from "../../schema/stream-trace.ts";
import type { TracedQuicFlow } from "../../schema/trace.ts";
import { accountOf, whyUnexplained } from "./account.ts";
import { loadOver, request, server } from "./made-up-load.fixture.ts";

/** A datagram with bytes of one stream, or with an acknowledgment. Small datagrams take no time on the link. */
interface Datagram {
  sentMs: number;
  arrivedMs: number | null;
  bytes?: number;
  isFull?: boolean;
  stream?: [id: number, offset: number];
  /** `fin` is set if the stream ends here. `content` is the number of stream bytes, if it differs from `bytes`. */
  fin?: true;
  content?: number;
  acknowledged?: number;
  /** The number of streams that the datagram allows. */
  streams?: number;
}

const initial: Datagram = { sentMs: 0, arrivedMs: 50, bytes: 1200 };
const handshake: Datagram = { sentMs: 50, arrivedMs: 100, bytes: 1200 };
const ask: Datagram = { sentMs: 100, arrivedMs: 150, bytes: 100, stream: [0, 0], acknowledged: 0 };
const asked = (sentMs: number, id: number): Datagram => ({
  ...{ sentMs, arrivedMs: sentMs + 50, bytes: 100 },
  stream: [id, 0],
});
const packet = (sentMs: number, arrivedMs: number | null, offset: number, id = 0): Datagram => ({
  ...{ sentMs, arrivedMs, bytes: 1000, isFull: true },
  stream: [id, offset],
});
const ack = (sentMs: number, acknowledged: number): Datagram => ({ sentMs, arrivedMs: sentMs + 50, acknowledged });

const columns = (all: readonly Datagram[]) => ({
  sentUs: all.map(({ sentMs }, i) => 1000 * (sentMs - (all[i - 1]?.sentMs ?? 0))),
  tookUs: all.map(({ sentMs, arrivedMs }) => (arrivedMs === null ? null : 1000 * (arrivedMs - sentMs))),
  frameBytes: all.map(({ isFull }) => (isFull ? 1514 : 0)),
});
const content = (all: readonly Datagram[]) => ({
  bytes: all.map(({ bytes = 0 }) => bytes),
  acknowledged: all.map(({ acknowledged = null }) => acknowledged),
  pieces: pieceColumnsOf(
    all.flatMap(({ stream, bytes = 0, content = bytes, fin = false }, datagram): PieceRow[] =>
      stream ? [{ datagram, stream: stream[0], offset: stream[1], bytes: content, fin }] : [],
    ),
  ),
  limits: {
    datagram: all.flatMap(({ streams }, datagram) => (streams === undefined ? [] : [datagram])),
    streams: all.flatMap(({ streams }) => streams ?? []),
  },
});

function loadOverQuic(pageLoadMs: number, requests: RequestEvidence[], up: Datagram[], down: Datagram[]) {
  const { load } = loadOver(pageLoadMs, requests, [], []);
  const [sent, came] = [
    [initial, ...up],
    [handshake, ...down],
  ];
  const opened = { down: content(came), up: content(sent) };
  const flow: TracedQuicFlow = { server, clientPort: 40000, down: columns(came), up: columns(sent), opened };
  return { load, trace: { firstRequestUs: 0, flows: [], quicFlows: [flow] } };
}

/** The parts above 0, which add up to the load's time. */
function partsOf(...of: Parameters<typeof loadOverQuic>) {
  const { load, trace } = loadOverQuic(...of);
  const told = Object.entries(accountOf(load, trace)!.parts).filter(([, ms]) => ms >= 0.01);
  assert.equal(Math.round(told.reduce((sum, [, ms]) => sum + ms, 0)), load.pageLoadMs);
  return Object.fromEntries(told.map(([part, ms]) => [part, Math.round(ms)]));
}

const page = (bytes: number, endMs: number) => ({ ...request("/", 0, 100, endMs), bytes });

test('the time in which a server spreads its packets without waiting for an acknowledgment counts as "pacing"', () =>
  assert.deepEqual(partsOf(211, [page(2000, 211)], [ask], [packet(150, 201, 0), packet(160, 211, 1000)]), {
    connections: 100,
    propagation: 100,
    pacing: 10,
    rate: 1,
  }));

test('if packets leave as soon as an acknowledgment arrives, their wait for it counts as "window"', () =>
  assert.deepEqual(
    partsOf(
      303,
      [page(3000, 303)],
      [ask, ack(201, 1)],
      [packet(150, 201, 0), packet(251, 302, 1000), packet(251, 303, 2000)],
    ),
    { connections: 100, propagation: 100, window: 100, rate: 3 },
  ));

test('the wait for lost data counts as "fast retransmit" after acknowledgments of later packets, and as "tail probe" after a probe timeout', () => {
  const behind = [packet(150, 201, 1000), packet(150, 202, 2000), packet(150, 203, 3000)];
  assert.deepEqual(
    partsOf(304, [page(4000, 304)], [ask, ack(203, 4)], [packet(150, null, 0), ...behind, packet(253, 304, 0)]),
    { connections: 100, propagation: 100, rate: 3, "fast retransmit": 101 },
  );
  assert.deepEqual(partsOf(451, [page(1000, 451)], [ask], [packet(150, null, 0), packet(400, 451, 0)]), {
    connections: 100,
    propagation: 100,
    rate: 1,
    "tail probe": 250,
  });
});

test("lost data that is retransmitted in two packets counts as delivered when the second packet arrives", () =>
  assert.deepEqual(
    partsOf(
      355,
      [page(2000, 355)],
      [ask, ack(201, 2), ack(305, 3)],
      [
        { ...packet(150, null, 0), bytes: 1000 },
        packet(150, 201, 1000),
        { ...packet(251, 302, 0), bytes: 600 },
        { ...packet(304, 355, 600), bytes: 400 },
      ],
    ),
    { connections: 100, propagation: 100, rate: 1, "fast retransmit": 154 },
  ));

test('a separate frame that ends a stream is no retransmission, so a later wait counts as "window", not as "window after loss"', () => {
  const end: Datagram = { ...packet(151, 202, 1000), bytes: 10, stream: [0, 1000], fin: true, content: 0 };
  const requests = [page(1000, 202), { ...request("/next", 0, 203, 405), bytes: 3000 }];
  const next: Datagram = { sentMs: 203, arrivedMs: 253, bytes: 100, stream: [4, 0], acknowledged: 2 };
  const down = [packet(150, 201, 0), end, packet(253, 304, 0, 4), packet(354, 405, 1000, 4), packet(354, 406, 2000, 4)];
  const { "window after loss": lost = 0, window = 0 } = partsOf(
    406,
    [requests[0]!, { ...requests[1]!, endMs: 406 }],
    [ask, next, ack(304, 3)],
    down,
  );
  assert.deepEqual([lost, window], [0, 100]);
});

test("a request does not wait for another stream's lost packet", () => {
  const requests = [
    { ...request("/", 0, 100, 204), bytes: 1000 },
    { ...request("/late", 0, 100, 304), bytes: 1001, nonBlocking: true as const },
  ];
  const asked = [ask, { ...ask, stream: [4, 0] as [number, number] }, ack(203, 2)];
  const down = [
    { ...packet(150, null, 0, 4), bytes: 1001 },
    packet(150, 201, 0),
    { ...packet(253, 304, 0, 4), bytes: 1001 },
  ];
  assert.deepEqual(partsOf(204, requests, asked, down), { connections: 100, propagation: 100, rate: 1, browser: 3 });
});

test("a load is not explained if its QUIC connection was not decrypted, and the reason is named", () => {
  const { load, trace } = loadOverQuic(201, [page(1000, 201)], [ask], [packet(150, 201, 0)]);
  const [{ opened: _, ...sealed }] = trace.quicFlows as [TracedQuicFlow];
  assert.equal(accountOf(load, { ...trace, quicFlows: [sealed] }), null);
  assert.match(whyUnexplained(load, { ...trace, quicFlows: [sealed] }), /were not decrypted/);
});

test("a request above the server's limit of streams waits until the server raises the limit", () => {
  const second: Datagram = { sentMs: 281, arrivedMs: 331, bytes: 100, stream: [4, 0] };
  const raise: Datagram = { sentMs: 231, arrivedMs: 281, streams: 2 };
  const requests = [page(1000, 201), { ...request("/second", 201, 281, 382), bytes: 1000 }];
  const parts = partsOf(382, requests, [ask, second], [packet(150, 201, 0), raise, packet(331, 382, 0, 4)]);
  assert.deepEqual(parts, { connections: 100, waiting: 80, propagation: 200, rate: 2 });
});

test("while a script is loading, a request for a second image waits until the first image is complete", () => {
  const files = [request("/a.js", 201, 201, 400), request("/1.jpg", 201, 201, 302), request("/2.jpg", 201, 302, 403)];
  // The connection later has more requests at once, so a busy connection does not explain the wait.
  const later = [16, 20, 24].map((id) => ({ ...request(`/${id}.json`, 402, 402, 600), nonBlocking: true as const }));
  const requests = [page(1000, 201), ...[...files, ...later].map((one) => ({ ...one, bytes: 1000 }))];
  const up = [ask, asked(201, 4), asked(201, 8), asked(302, 12), ...[16, 20, 24].map((id) => asked(402, id))];
  const answers = [packet(150, 201, 0), packet(251, 302, 0, 8), packet(349, 400, 0, 4), packet(352, 403, 0, 12)];
  const down = [...answers, ...[16, 20, 24].map((id) => packet(549, 600, 0, id))];
  assert.deepEqual(partsOf(403, requests, up, down), { connections: 100, propagation: 300, rate: 3 });
});

test("no request waits for a request that never ends", () => {
  const events = { ...request("/events", 201, 202, 0), endMs: null, nonBlocking: true as const };
  const requests = [
    page(1000, 201),
    { ...request("/a.js", 201, 201, 402), bytes: 1000 },
    { ...events, bytes: 1000 },
    { ...request("/1.jpg", 201, 203, 503), bytes: 1000 },
  ];
  const up = [ask, asked(201, 4), asked(202, 8), asked(203, 12)];
  const down = [packet(150, 201, 0), packet(351, 402, 0, 4), packet(452, 503, 0, 12)];
  assert.equal(partsOf(503, requests, up, down).connections, 100);
});
