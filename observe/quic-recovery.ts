/** Evidence of a server's congestion window, losses and round trips (RFC 9002), from its decrypted packets. */
import type { OpenedQuic } from "../schema/evidence.ts";
import { roundedMs } from "./packet.ts";
import type { PacketRange } from "./quic-frames.ts";
import type { OpenedPacket } from "./quic-opened.ts";
import { QuicWindow } from "./quic-window.ts";
import { merged } from "./ranges.ts";

/** @param packets a connection's decrypted packets, from its server's capture @param unopened how many could not be decrypted */
export function openedQuic(packets: readonly OpenedPacket[], unopened: number): OpenedQuic {
  const sent = packets.filter((packet) => !packet.fromClient && packet.isAckEliciting);
  const flight = playFlight(packets);
  const closing = packets.findLast(({ frames }) => frames.some(({ type }) => type === "close"));
  const close = closing?.frames.find((frame) => frame.type === "close");
  return {
    unopened,
    sentPackets: sent.length,
    acknowledgedPackets: flight.acknowledgedPackets,
    lostPackets: flight.lostPackets,
    repeatedBytes: repeatedBytes(sent),
    mostInFlightBytes: flight.mostBytes,
    blockedFrames: sent.flatMap(({ frames }) => frames.filter(({ type }) => type === "blocked")).length,
    firstFlight: flight.first,
    initialWindowAtLeastBytes: flight.window.atLeastBytes(),
    stoppedBytes: flight.window.stoppedBytes(),
    roundTripMs: flight.roundTripsMs.length
      ? { least: roundedMs(Math.min(...flight.roundTripsMs)), median: roundedMs(middleOf(flight.roundTripsMs)) }
      : null,
    ...(closing && close && { closed: { by: closing.fromClient ? "client" : "server", error: close.error } }),
  };
}

const middleOf = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const covers = (ranges: readonly PacketRange[], number: number) =>
  ranges.some(([from, to]) => number >= from && number <= to);
const sum = (packets: readonly { bytes: number }[]) => packets.reduce((total, { bytes }) => total + bytes, 0);

/** A path MTU probe, which may exceed the window (RFC 9000, section 14.4). */
const isProbe = ({ frames, isComplete }: OpenedPacket) =>
  isComplete && frames.every(({ type }) => type === "ping" || type === "padding");

/** Whether a packet has response data: the streams that a client opens for requests have IDs that are multiples of four. */
const hasResponse = ({ frames }: OpenedPacket) => frames.some((frame) => frame.type === "stream" && frame.id % 4 === 0);
const endsWithinResponse = ({ frames }: OpenedPacket) => {
  const last = frames.findLast((frame) => frame.type === "stream");
  return last !== undefined && last.id % 4 === 0 && !last.fin;
};

function discard(packets: OpenedPacket[], which: (packet: OpenedPacket) => boolean): void {
  const kept = packets.filter((packet) => !which(packet));
  packets.splice(0, packets.length, ...kept);
}

/** A packet counts as lost when a packet that was sent this many packets later is acknowledged (RFC 9002, section 6.1.1). */
const packetThreshold = 3;

/** Replays the connection as the server saw it. */
function playFlight(packets: readonly OpenedPacket[]) {
  const inFlight: OpenedPacket[] = [];
  const roundTripsMs: number[] = [];
  let [mostBytes, acknowledgedPackets, lostPackets] = [0, 0, 0];
  let first: OpenedQuic["firstFlight"] = null;
  const window = new QuicWindow();
  for (const packet of packets) {
    if (!packet.fromClient) {
      if (!packet.isAckEliciting || isProbe(packet)) continue;
      inFlight.push(packet);
      const bytes = sum(inFlight);
      mostBytes = Math.max(mostBytes, bytes);
      window.sent({ ...packet, inFlightBytes: bytes, goesOn: endsWithinResponse(packet) });
      continue;
    }
    // After the handshake, handshake packets are neither acknowledged nor counted as in flight (RFC 9001, section 4.9; RFC 9002, section 6.4).
    if (packet.level === "data") discard(inFlight, ({ level }) => level !== "data");
    const ack = packet.frames.find((frame) => frame.type === "ack");
    if (!ack) continue;
    const done = inFlight.filter(({ level, number }) => level === packet.level && covers(ack.ranges, number));
    if (done.length === 0) continue;
    const before = [...inFlight];
    discard(inFlight, (one) => done.includes(one));
    acknowledgedPackets += done.length;
    const largest = done.find(({ number }) => number === ack.ranges[0]![1]);
    if (largest) roundTripsMs.push(packet.timeMs - largest.timeMs);
    if (!first && done.some(hasResponse)) first = { packets: before.length, bytes: sum(before) };
    const missing = inFlight.filter(({ level, number }) => level === packet.level && number < ack.ranges[0]![1]);
    if (missing.length > 0) window.end();
    const lost = missing.filter(({ number }) => number <= ack.ranges[0]![1] - packetThreshold);
    discard(inFlight, (one) => lost.includes(one));
    lostPackets += lost.length;
    window.acknowledged({ timeMs: packet.timeMs, inFlightBytes: sum(before), packets: done.length, bytes: sum(done) });
  }
  return { mostBytes, acknowledgedPackets, lostPackets, first, window, roundTripsMs };
}

function repeatedBytes(sent: readonly OpenedPacket[]): number {
  const known = new Map<number, PacketRange[]>();
  let repeated = 0;
  for (const { frames } of sent)
    for (const frame of frames) {
      if (frame.type !== "stream" || frame.bytes === 0) continue;
      const [from, to] = [frame.offset, frame.offset + frame.bytes];
      const before = known.get(frame.id) ?? [];
      for (const [start, end] of before) repeated += Math.max(0, Math.min(end, to) - Math.max(start, from));
      known.set(frame.id, merged(before, [from, to]));
    }
  return repeated;
}
