import { crc32 } from "node:zlib";
import type { Frame } from "./packet-capture.ts";

interface Seen {
  timeMs: number;
  /** Length of the frame on the wire. */
  frameBytes: number;
  /** Address and port, such as "198.18.0.10:40123". */
  source: string;
  destination: string;
  /** Identifies the packet at both ends: a checksum of its addresses, its IPv4 identification and its transport header (see `markOf`). */
  mark: number;
  /** The ECN field of its IP header, if not 0: 1 and 2 permit routers to mark the packet, 3 is the mark (RFC 3168, section 5). */
  ecn?: number;
}

/** One TCP segment. Sequence numbers have 32 bits, as on the wire. */
export interface Packet extends Seen {
  transport: "tcp";
  sequence: number;
  acknowledgment: number;
  syn: boolean;
  fin: boolean;
  reset: boolean;
  push: boolean;
  /** The segment's ECN flags, if any are set: 1 for ECE, 2 for CWR, or their sum (RFC 3168, section 6.1). */
  ecnFlags?: number;
  /** The receive window, unscaled. */
  window: number;
  /** Options of a SYN: the window scale's exponent and the maximum segment size; null when absent. */
  windowScale: number | null;
  mssBytes: number | null;
  /** Whether it selectively acknowledges data beyond `acknowledgment` (RFC 2018). Duplicate SACKs (RFC 2883) of earlier data do not count. */
  sacks: boolean;
  /** The highest sequence number that its selective acknowledgments cover. */
  sackedTo?: number;
  payloadBytes: number;
  /** The captured part of the payload. */
  payload: Buffer;
}

export interface UdpPacket extends Seen {
  transport: "udp";
  payloadBytes: number;
  payload: Buffer;
}

/** ICMP "port unreachable" (RFC 792): a UDP datagram arrived after its socket was closed. `source` and `destination` have port 0. */
export interface Unreachable extends Seen {
  transport: "icmp";
  /** The source and destination of the UDP datagram. */
  about: { source: string; destination: string };
}

export const portOf = (end: string): number => Number(end.split(":")[1]);

/** Rounds to whole microseconds, which is the resolution of captures. */
export const microseconds = (ms: number): number => Math.round(ms * 1000);
export const roundedMs = (ms: number): number => microseconds(ms) / 1000;

const ipv4 = 0x0800;
const [icmp, tcp, udp] = [1, 6, 17];
const unreachable = 3;
/** How much of a datagram's payload its mark covers. QUIC packets are encrypted, so no two start with the same bytes. */
const markedBytes = 32;
const udpHeaderBytes = 8;
const [mssOption, scaleOption, sackOption] = [2, 3, 5];

/** Decodes a packet, or describes a frame that the lab's networks should not carry. Spreads (`...`) are avoided: they take ten times as long. */
export function decode({ timeMs, bytes: frameBytes, head }: Frame): Packet | UdpPacket | Unreachable | string {
  const type = head.readUInt16BE(12);
  if (type !== ipv4) return `EtherType 0x${type.toString(16).padStart(4, "0")}`;
  const ip = head.subarray(14);
  const segment = ip.subarray((ip[0]! & 15) * 4);
  if (ip[9] === tcp) return segmentOf(timeMs, frameBytes, ip, segment);
  if (ip[9] === udp) return datagramOf(timeMs, frameBytes, ip, segment);
  const other = `IP protocol ${ip[9]} from ${addressAt(ip, 12)} to ${addressAt(ip, 16)}`;
  if (ip[9] !== icmp) return other;
  const about = segment.subarray(8); // the datagram's own headers
  if (segment[0] !== unreachable || about[9] !== udp) return other;
  const [source, destination] = [`${addressAt(ip, 12)}:0`, `${addressAt(ip, 16)}:0`];
  const ends = { source: sourceOf(about), destination: destinationOf(about) };
  return {
    timeMs,
    frameBytes,
    transport: "icmp",
    source,
    destination,
    about: ends,
    // A host that captures only heads does not have the whole quoted datagram.
    mark: markOf(ip, [about.subarray(0, (about[0]! & 15) * 4 + udpHeaderBytes + markedBytes)]),
  };
}

function segmentOf(timeMs: number, frameBytes: number, ip: Buffer, segment: Buffer): Packet {
  const headerBytes = (segment[12]! >> 4) * 4;
  const flags = segment[13]!;
  const options = segment.subarray(20, headerBytes);
  const payloadBytes = ip.readUInt16BE(2) - (ip[0]! & 15) * 4 - headerBytes;
  const sack = findOption(options, sackOption);
  const packet: Packet = {
    timeMs,
    frameBytes,
    transport: "tcp",
    source: sourceOf(ip),
    destination: destinationOf(ip),
    sequence: segment.readUInt32BE(4),
    acknowledgment: segment.readUInt32BE(8),
    syn: (flags & 2) !== 0,
    fin: (flags & 1) !== 0,
    reset: (flags & 4) !== 0,
    push: (flags & 8) !== 0,
    window: segment.readUInt16BE(14),
    windowScale: findOption(options, scaleOption)?.[2] ?? null,
    mssBytes: findOption(options, mssOption)?.readUInt16BE(2) ?? null,
    sacks: false,
    payloadBytes,
    payload: segment.subarray(headerBytes, headerBytes + payloadBytes), // Ethernet pads short frames
    mark: markOf(ip, [segment.subarray(0, 16), segment.subarray(18, headerBytes)]), // not the checksum: it may be filled in after the capture
  };
  const [ecn, ecnFlags] = [ip[1]! & 3, flags >> 6];
  if (ecn > 0) packet.ecn = ecn;
  if (ecnFlags > 0) packet.ecnFlags = ecnFlags;
  const sackedTo = sack && sackedToOf(sack);
  if (sackedTo !== null) {
    packet.sackedTo = sackedTo;
    packet.sacks = beyond(sackedTo, packet.acknowledgment) > 0;
  }
  return packet;
}

const addressAt = (ip: Buffer, at: number) => `${ip[at]}.${ip[at + 1]}.${ip[at + 2]}.${ip[at + 3]}`;

/** @param ip a packet from its IP header on, at least up to the ports */
const sourceOf = (ip: Buffer) => endAt(ip, 12, (ip[0]! & 15) * 4);
const destinationOf = (ip: Buffer) => endAt(ip, 16, (ip[0]! & 15) * 4 + 2);
/** An address and a port as text. All packets of a connection share one string object, because maps hash each string object only once. */
function endAt(ip: Buffer, address: number, port: number): string {
  const key = ip.readUInt32BE(address) * 2 ** 16 + ip.readUInt16BE(port);
  let end = endTexts.get(key);
  if (end === undefined) {
    end = `${addressAt(ip, address)}:${ip.readUInt16BE(port)}`;
    if (endTexts.size === mostEnds) endTexts.clear();
    endTexts.set(key, end);
  }
  return end;
}
const endTexts = new Map<number, string>();
const mostEnds = 10_000;

function datagramOf(timeMs: number, frameBytes: number, ip: Buffer, datagram: Buffer): UdpPacket {
  const payloadBytes = datagram.readUInt16BE(4) - 8;
  const payload = datagram.subarray(8, 8 + payloadBytes); // Ethernet pads short frames
  const [source, destination] = [sourceOf(ip), destinationOf(ip)];
  const mark = markOf(ip, [datagram.subarray(0, 6), payload.subarray(0, markedBytes)]);
  const ecn = ip[1]! & 3;
  const datagramSeen: UdpPacket = {
    timeMs,
    frameBytes,
    transport: "udp",
    source,
    destination,
    payloadBytes,
    payload,
    mark,
  };
  if (ecn > 0) datagramSeen.ecn = ecn;
  return datagramSeen;
}

/**
 * Computes a 52-bit checksum of all fields that routers do not change, from CRC-32 and 20 bits of FNV-1a. CRC-32 alone is too short: with
 * 2,000 packets of a page and 30,000 of other flows, one load in 70 would have a packet of the page with another packet's mark.
 * @param rest the transport's header, without its checksum, and perhaps some of its payload
 */
function markOf(ip: Buffer, rest: Buffer[]): number {
  const parts = [ip.subarray(4, 6), ip.subarray(12, 20), ...rest];
  const crc = parts.reduce((sum, bytes) => crc32(bytes, sum), 0);
  return crc * 2 ** 20 + (parts.reduce(fnv1a, 0x811c9dc5) >>> 12);
}

/** Fowler, Noll and Vo's 32-bit hash, continued from the hash of the preceding bytes. */
function fnv1a(hash: number, bytes: Buffer): number {
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Finds the highest sequence number in SACK blocks. The first block may report a duplicate that is acknowledged already (RFC 2883). */
function sackedToOf(option: Buffer): number | null {
  const ends = Array.from({ length: (option.length - 2) >> 3 }, (_, i) => option.readUInt32BE(6 + 8 * i));
  return ends.length ? ends.reduce((a, b) => (beyond(a, b) > 0 ? a : b)) : null;
}

/** Finds a TCP option. All options start with kind and length, except end (0) and no-operation (1) (RFC 9293, section 3.1). */
function findOption(options: Buffer, wanted: number): Buffer | null {
  for (let i = 0; i < options.length && options[i] !== 0; i += options[i] === 1 ? 1 : Math.max(2, options[i + 1] ?? 0))
    if (options[i] === wanted) return options.subarray(i, i + (options[i + 1] ?? 0));
  return null;
}

/** The sequence number after a segment's last byte. */
export const endOf = ({ sequence, payloadBytes }: Packet) => (sequence + payloadBytes) >>> 0;

/** How far sequence number `a` is after `b`; negative when it is before. Sequence numbers have 32 bits and wrap. */
export const beyond = (a: number, b: number) => (a - b) | 0;
