/** For tests: synthetic loads with known events, on a link with 50 ms one-way delay that transmits a full frame in 1 ms. */
import type { RequestEvidence } from "../../schema/evidence.ts";
import type { GoodLoad } from "../../schema/records.ts";
import { columnsOf, type Trace, type TracedPacket } from "../../schema/trace.ts";

const [segmentBytes, frameBytes] = [1448, 1514];
export const link = { delayMs: 50, lossPercent: 0, queuePackets: 50 };
export const server = "198.18.1.11:4432";

export type Row = Omit<TracedPacket, "repeated"> & { flags: number };
export const packet = (sentMs: number, arrivedMs: number | null, news: Partial<Row>): Row => ({
  sentUs: 1000 * sentMs,
  arrivedUs: arrivedMs === null ? null : 1000 * arrivedMs,
  frameBytes: 0,
  offset: 0,
  bytes: 0,
  acknowledged: 0,
  sackedTo: news.acknowledged ?? 0,
  window: 1e6,
  syn: false,
  fin: false,
  reset: false,
  flags: news.syn ? 1 : 0,
  ...news,
});
export const syn = (sentMs: number) => packet(sentMs, sentMs + 50, { syn: true });
/** The client's nth request, 100 bytes. */
export const ask = (sentMs: number, n = 0, acknowledged = 0) =>
  packet(sentMs, sentMs + 50, { offset: 100 * n, bytes: 100, acknowledged, sackedTo: acknowledged });
export const ack = (sentMs: number, segments: number, sackedTo = segments, asked = 1) =>
  packet(sentMs, sentMs + 50, {
    offset: 100 * asked,
    acknowledged: segments * segmentBytes,
    sackedTo: sackedTo * segmentBytes,
  });
/** The server's nth segment. */
export const segment = (sentMs: number, arrivedMs: number | null, n: number) =>
  packet(sentMs, arrivedMs, { offset: n * segmentBytes, bytes: segmentBytes, frameBytes });

export const request = (path: string, startMs: number, sentMs: number, endMs: number): RequestEvidence => ({
  path,
  status: 200,
  bytes: 1,
  startMs,
  sentMs,
  answeredMs: sentMs,
  endMs,
});

/** A load over one connection, whose handshake took 100 ms. */
export function loadOver(
  pageLoadMs: number,
  requests: RequestEvidence[],
  up: Row[],
  down: Row[],
): { load: GoodLoad; trace: Trace } {
  const evidence = {
    connections: [{ id: 1, host: "s1.lab", address: server, protocol: "x", software: [], requests }],
    link: { down: { atStart: { ...link, rateMbps: 12.112 } }, up: { atStart: { ...link, rateMbps: 1000 } } },
  };
  const flow = { server, clientPort: 40000, up: columnsOf([syn(0), ...up]), down: columnsOf([syn(50), ...down]) };
  const trace = { firstRequestUs: 0, flows: [flow], quicFlows: [] };
  return { load: { pageLoadMs, evidence } as unknown as GoodLoad, trace };
}
