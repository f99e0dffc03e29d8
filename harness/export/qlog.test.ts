import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { GoodLoad } from "../../schema/records.ts";
import { pieceColumnsOf } from "../../schema/stream-trace.ts";
import type { Trace } from "../../schema/trace.ts";
import { good } from "../judge/load/quic-load.fixture.ts";
import { qlogOf } from "./qlog.ts";

const count = z.int().nonnegative();
const raw = z.strictObject({ length: count.optional(), payload_length: count.optional() });
const frame = z.discriminatedUnion("frame_type", [
  z.strictObject({ frame_type: z.literal("ack"), raw: raw.optional() }),
  z.strictObject({
    frame_type: z.literal("stream"),
    stream_id: count,
    offset: count.optional(),
    fin: z.boolean().optional(),
    raw,
  }),
]);
const header = z.strictObject({
  packet_type: z.enum([
    "initial",
    "handshake",
    "0RTT",
    "1RTT",
    "retry",
    "version_negotiation",
    "stateless_reset",
    "unknown",
  ]),
});
const packet = z.strictObject({ header, frames: z.array(frame).optional(), datagram_id: count.optional() });
const datagrams = z.strictObject({
  count: count.optional(),
  raw: z.array(raw).nonempty(),
  datagram_ids: z.array(count).nonempty(),
});
const event = z.union([
  // The drafts allow additional fields in events.
  z.looseObject({ time: z.number(), name: z.enum(["quic:packet_sent", "quic:packet_received"]), data: packet }),
  z.looseObject({
    time: z.number(),
    name: z.enum(["quic:udp_datagrams_sent", "quic:udp_datagrams_received"]),
    data: datagrams,
  }),
]);
/** The parts of draft-ietf-quic-qlog-main-schema-14 and -quic-events-13 that exports use. No package contains the drafts' CDDL. */
const qlogFile = z.strictObject({
  file_schema: z.literal("urn:ietf:params:qlog:file:contained"),
  serialization_format: z.literal("application/qlog+json"),
  title: z.string().optional(),
  traces: z.array(
    z.strictObject({
      title: z.string().optional(),
      vantage_point: z.strictObject({ name: z.string(), type: z.enum(["client", "server", "network", "unknown"]) }),
      event_schemas: z.tuple([z.literal("urn:ietf:params:qlog:events:quic-13")]),
      common_fields: z.looseObject({
        group_id: z.string(),
        time_format: z.enum(["relative_to_epoch", "relative_to_previous_event"]),
        reference_time: z.strictObject({ clock_type: z.literal("monotonic"), epoch: z.literal("unknown") }),
      }),
      events: z.array(event),
    }),
  ),
});

/** The server sends two datagrams with data, the second of which is lost; the client acknowledges the first. */
const trace: Trace = {
  firstRequestUs: 0,
  flows: [],
  quicFlows: [
    {
      ...{ server: "198.18.1.11:4433", clientPort: 40000 },
      down: { sentUs: [60_000, 1000], tookUs: [50_000, null], frameBytes: [1242, 1242] },
      up: { sentUs: [0, 111_000], tookUs: [50_000, 50_000], frameBytes: [1292, 80] },
      opened: {
        down: {
          ...{ bytes: [1200, 1200], acknowledged: [0, null] },
          pieces: pieceColumnsOf([
            { datagram: 0, stream: 0, offset: 0, bytes: 1100, fin: false },
            { datagram: 1, stream: 0, offset: 1100, bytes: 900, fin: true },
          ]),
        },
        up: {
          ...{ bytes: [1250, 0], acknowledged: [null, 0] },
          pieces: pieceColumnsOf([{ datagram: 0, stream: 0, offset: 0, bytes: 100, fin: true }]),
        },
      },
    },
  ],
};
const load = { condition: "A/h3", block: 1, attempt: 1, evidence: good } as GoodLoad;
const log = qlogOf([{ load, trace }], "1");
const [atServer, atClient] = log.traces;
const named = (one: typeof atServer) => one!.events.map(({ time, name }) => `${time} ${name.replace("quic:", "")}`);

test("the written file is valid by the schema of the qlog drafts", () => {
  assert.deepEqual(qlogFile.parse(log), log);
  assert.throws(() =>
    qlogFile.parse({ ...log, traces: [{ ...atServer!, event_schemas: ["urn:ietf:params:qlog:events:quic"] }] }),
  );
});

test("each connection is logged twice, as its server and as its client saw it: a lost datagram is sent, and never received", () => {
  assert.deepEqual([atServer!.vantage_point.type, atClient!.vantage_point.type], ["server", "client"]);
  assert.deepEqual(named(atServer), [
    ...["50 udp_datagrams_received", "50 packet_received"],
    ...["60 packet_sent", "60 udp_datagrams_sent", "61 packet_sent", "61 udp_datagrams_sent"],
    ...["161 udp_datagrams_received", "161 packet_received"],
  ]);
  assert.deepEqual(named(atClient), [
    ...["0 packet_sent", "0 udp_datagrams_sent", "110 udp_datagrams_received", "110 packet_received"],
    ...["111 packet_sent", "111 udp_datagrams_sent"],
  ]);
});

test("packet events list the traced frames, and datagram events have the size of the UDP payload", () => {
  const [first, last] = [atServer!.events[2]!, atServer!.events.at(-1)!];
  assert.deepEqual(first, {
    ...{ time: 60, name: "quic:packet_sent", acknowledges: 0 },
    data: {
      header: { packet_type: "1RTT" },
      frames: [
        { frame_type: "ack" },
        { frame_type: "stream", stream_id: 0, offset: 0, fin: false, raw: { payload_length: 1100 } },
      ],
      datagram_id: 0,
    },
  });
  assert.deepEqual(last.data, { header: { packet_type: "unknown" }, frames: [{ frame_type: "ack" }], datagram_id: 1 });
  assert.deepEqual(atServer!.events[3]!.data, { count: 1, raw: [{ length: 1200 }], datagram_ids: [0] });
});

test("if the client sent early data, its packets have the type unknown; without decrypted packets, only datagrams are logged", () => {
  const [flow] = good.packets.quicFlows!;
  const server = { ...flow!.server!, longHeaders: { ...flow!.server!.longHeaders, zeroRtt: 1 } };
  const early = { ...good, packets: { ...good.packets, quicFlows: [{ ...flow!, server }] } };
  const [seen] = qlogOf([{ load: { ...load, evidence: early }, trace }], "1").traces;
  assert.deepEqual(seen!.events[1]!.data, { ...atServer!.events[1]!.data, header: { packet_type: "unknown" } });
  const { opened: _, ...sealed } = trace.quicFlows[0]!;
  const [closed] = qlogOf([{ load, trace: { ...trace, quicFlows: [sealed] } }], "1").traces;
  assert.ok(closed!.events.every(({ name }) => name.includes("datagrams")));
});
