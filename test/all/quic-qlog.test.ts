/** Compares the lab's own reading of QUIC packets with gtlsserver's log of the same connection (qlog). */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { captureFolders } from "../../harness/record/captures.ts";
import { loadsIn } from "../../harness/record/records.ts";
import type { PacketRange } from "../../observe/quic-frames.ts";
import type { OpenedPacket } from "../../observe/quic-opened.ts";
import { LabCopy, runFolder } from "../lab.ts";
import { packetsOf } from "./captured-quic.ts";

/** A packet counts as lost if a packet with a number this much higher was acknowledged (RFC 9002, section 6.1.1). */
const packetThreshold = 3;
let folders: string[];

before(async () => {
  copy = await LabCopy.make({ virtualClock: true });
  const asked = ["--page", "C", "--protocol", "h3", "--server", "gtlsserver", "--link", "20x2-100ms-1%"];
  const made = await copy.lab(
    "try",
    "--clock",
    "virtual",
    "--lanes",
    "1",
    ...asked,
    "--congestion",
    "cubic,reno",
    "--loads",
    "1",
    "--capture",
  );
  assert.equal(made.code, 0, made.stderr);
  const run = `${copy.folder}/${runFolder(made.stderr)}`;
  assert.equal(loadsIn(run).length, 2);
  folders = captureFolders(run);
  assert.equal(folders.length, 2);
});
let copy: LabCopy;
after(() => copy?.remove());

/** The part of a qlog that is compared: packets, and the packets that the server considered lost. */
interface Logged {
  name: string;
  data: {
    header: { packet_type: string; packet_number: number };
    frames?: {
      frame_type: string;
      stream_id?: number;
      offset?: number;
      length?: number;
      acked_ranges?: PacketRange[];
    }[];
    raw?: { length: number };
  };
}

/**
 * Reads the connection's log, a JSON text sequence (RFC 7464): each record begins with a separator; the first record describes the log, and has
 * no name. If the client's first packet is lost, the server answers with a Retry, and logs this first attempt in a small file of its own.
 */
function qlogOf(folder: string): Logged[] {
  const [log = "", ...retried] = readdirSync(folder)
    .filter((name) => name.endsWith(".sqlog.gz"))
    .map((name) => gunzipSync(readFileSync(`${folder}/${name}`)).toString())
    .sort((a, b) => b.length - a.length);
  for (const text of retried) assert.ok(!text.includes("transport:packet_sent"), text.slice(0, 1000));
  const records = log.split("\x1e").flatMap((record) => (record.trim() ? [JSON.parse(record) as Partial<Logged>] : []));
  return records.filter((record): record is Logged => record.name !== undefined);
}

const levels: Record<string, OpenedPacket["level"]> = { initial: "initial", handshake: "handshake", "1RTT": "data" };
const keyOf = (level: string, number: number) => `${level} ${number}`;

/** What both the log and the capture have about a packet: its length, and its stream frames or acknowledgments. */
const describedByLog = ({ frames = [], raw }: Logged["data"]) => ({
  bytes: raw?.length,
  streams: frames.flatMap((one) => (one.frame_type === "stream" ? [[one.stream_id, one.offset, one.length]] : [])),
  acks: frames.flatMap((one) => one.acked_ranges?.map(([from, to = from]) => [from, to]) ?? []),
});
const described = ({ bytes, frames }: OpenedPacket) => ({
  bytes,
  streams: frames.flatMap((one) => (one.type === "stream" ? [[one.id, one.offset, one.bytes]] : [])),
  acks: frames.flatMap((one) => (one.type === "ack" ? one.ranges.map((range) => [...range]) : [])),
});

for (const end of ["server", "client"] as const)
  test(`the server's log and the capture agree on the ${end}'s packets: numbers, lengths, streams and acknowledgments`, () => {
    for (const folder of folders) {
      const logged = new Map(
        qlogOf(folder).flatMap(({ name, data }) =>
          name === (end === "server" ? "transport:packet_sent" : "transport:packet_received")
            ? [[keyOf(levels[data.header.packet_type]!, data.header.packet_number), describedByLog(data)] as const]
            : [],
        ),
      );
      const captured = packetsOf(`${folder}/packets.pcapng`).filter((one) => one.fromClient === (end === "client"));
      const common = captured.filter(({ level, number }) => logged.has(keyOf(level, number)));
      assert.ok(common.length > 50, `${common.length} packets`);
      for (const packet of common)
        assert.deepEqual(described(packet), logged.get(keyOf(packet.level, packet.number)), folder);
    }
  });

test("every packet that is lost according to the captured acknowledgments (RFC 9002) is lost in the server's log, too", () => {
  for (const folder of folders) {
    const log = qlogOf(folder);
    const numbers = (event: string) =>
      log.flatMap(({ name, data: { header } }) =>
        name === event && header.packet_type === "1RTT" ? [header.packet_number] : [],
      );
    const packets = packetsOf(`${folder}/packets.pcapng`).filter(({ level }) => level === "data");
    const acked = packets.flatMap(({ fromClient, frames }) =>
      fromClient ? frames.flatMap((frame) => (frame.type === "ack" ? frame.ranges : [])) : [],
    );
    const isAcked = (number: number) => acked.some(([from, to]) => number >= from && number <= to);
    const largest = Math.max(...acked.map(([, to]) => to));
    // Packets with only acknowledgments are never considered lost, and ngtcp2 does not log lost path MTU probes.
    const others = new Set(
      log.flatMap(({ name, data: { header, frames = [] } }) =>
        name === "transport:packet_sent" && frames.every(({ frame_type }) => /^(ping|padding|ack)$/.test(frame_type))
          ? [header.packet_number]
          : [],
      ),
    );
    const sent = numbers("transport:packet_sent").filter((one) => !others.has(one));
    const missing = sent.filter((one) => one <= largest - packetThreshold && !isAcked(one));
    const lost = new Set(numbers("recovery:packet_lost"));
    assert.deepEqual(
      missing.filter((one) => !lost.has(one)),
      [],
      folder,
    );
    assert.ok(missing.length > 0);
  }
});
