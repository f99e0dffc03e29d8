import { crc32 } from "node:zlib";
import type { Frame } from "./packet-capture.ts";

/** What a capture saw of any packet. */
interface Seen {
  timeMs: number;
  /** The whole frame, on the wire. */
  frameBytes: number;
  /** "198.18.0.10:40123" */
  source: string;
  destination: string;
  /** What it is known by at both ends: a checksum of its addresses, its number (IPv4's identification) and what follows. */
  mark: number;
}

/** One TCP segment. Sequence numbers as on the wire, 32 bits. */
export interface Packet extends Seen {
  transport: "tcp";
  sequence: number;
  acknowledgment: number;
  syn: boolean;
  fin: boolean;
  reset: boolean;
  push: boolean;
  /** The receive window as its field has it: unscaled. */
  window: number;
  /** A SYN's options: the window scale's exponent and the maximum segment size; null where it has none. */
  windowScale: number | null;
  mssBytes: number | null;
  /** It reports segments that arrived out of order (RFC 2018). */
  sacks: boolean;
  /** The end of the furthest of those; absent where it reports none. */
  sackedTo?: number;
  payloadBytes: number;
  /** The payload's first bytes, as many as were captured. */
  payload: Buffer;
}

/** One UDP datagram. */
export interface UdpPacket extends Seen {
  transport: "udp";
  payloadBytes: number;
  /** The payload's first bytes, as many as were captured. */
  payload: Buffer;
}

/** Word of a host that nobody listens any more where a UDP datagram was sent to (RFC 792); its ends have no ports. */
export interface Unreachable extends Seen {
  transport: "icmp";
  /** The datagram's own ends. */
  about: { source: string; destination: string };
}

const ipv4 = 0x0800;
const [icmp, tcp, udp] = [1, 6, 17];
const unreachable = 3;
/** Of a datagram's payload, what its mark is made of: QUIC's packets are encrypted, and no two begin alike. */
const markedBytes = 32;
const [mssOption, scaleOption, sackOption] = [2, 3, 5];

/** A frame's packet, or words for what it is instead: the lab's networks carry nothing else. */
export function decode({ timeMs, bytes: frameBytes, head }: Frame): Packet | UdpPacket | Unreachable | string {
  const type = head.readUInt16BE(12);
  if (type !== ipv4) return `EtherType 0x${type.toString(16).padStart(4, "0")}`;
  const ip = head.subarray(14);
  const ipHeaderBytes = (ip[0]! & 15) * 4;
  const segment = ip.subarray(ipHeaderBytes);
  const seen = { timeMs, frameBytes };
  if (ip[9] === udp) return { ...seen, transport: "udp", ...endsOf(ip), ...datagramOf(ip, segment) };
  const other = `IP protocol ${ip[9]} from ${addressAt(ip, 12)} to ${addressAt(ip, 16)}`;
  if (ip[9] === icmp) {
    const about = segment.subarray(8); // the datagram's own headers
    if (segment[0] !== unreachable || about[9] !== udp) return other;
    const ends = { source: `${addressAt(ip, 12)}:0`, destination: `${addressAt(ip, 16)}:0` };
    return { ...seen, transport: "icmp", ...ends, about: endsOf(about), mark: markOf(ip, [segment.subarray(4)]) };
  }
  if (ip[9] !== tcp) return other;
  const headerBytes = (segment[12]! >> 4) * 4;
  const flags = segment[13]!;
  const option = (kind: number) => findOption(segment.subarray(20, headerBytes), kind);
  const payloadBytes = ip.readUInt16BE(2) - ipHeaderBytes - headerBytes;
  const header = segment.subarray(0, headerBytes);
  return {
    ...seen,
    transport: "tcp",
    ...endsOf(ip),
    sequence: segment.readUInt32BE(4),
    acknowledgment: segment.readUInt32BE(8),
    syn: (flags & 2) !== 0,
    fin: (flags & 1) !== 0,
    reset: (flags & 4) !== 0,
    push: (flags & 8) !== 0,
    window: segment.readUInt16BE(14),
    windowScale: option(scaleOption)?.[2] ?? null,
    mssBytes: option(mssOption)?.readUInt16BE(2) ?? null,
    ...sackedOf(option(sackOption)),
    payloadBytes,
    payload: segment.subarray(headerBytes, headerBytes + payloadBytes), // Ethernet pads short frames
    mark: markOf(ip, [header.subarray(0, 16), header.subarray(18)]), // its checksum may be filled in later than it is captured
  };
}

const addressAt = (ip: Buffer, offset: number) => ip.subarray(offset, offset + 4).join(".");

/** @param ip a packet from its IP header on, with at least the ports of what follows */
function endsOf(ip: Buffer): { source: string; destination: string } {
  const ports = (ip[0]! & 15) * 4;
  return {
    source: `${addressAt(ip, 12)}:${ip.readUInt16BE(ports)}`,
    destination: `${addressAt(ip, 16)}:${ip.readUInt16BE(ports + 2)}`,
  };
}

function datagramOf(ip: Buffer, datagram: Buffer): Pick<UdpPacket, "payloadBytes" | "payload" | "mark"> {
  const payloadBytes = datagram.readUInt16BE(4) - 8;
  const payload = datagram.subarray(8, 8 + payloadBytes); // Ethernet pads short frames
  return {
    payloadBytes,
    payload,
    mark: markOf(ip, [datagram.subarray(0, 6), payload.subarray(0, markedBytes)]),
  };
}

/** Of all that no router changes. @param rest without the transport's checksum */
const markOf = (ip: Buffer, rest: Buffer[]): number =>
  [ip.subarray(12, 20), ...rest].reduce((sum, bytes) => crc32(bytes, sum), crc32(ip.subarray(4, 6)));

/** Blocks of two sequence numbers each; the first may be a repetition's, which was acknowledged already (RFC 2883). */
function sackedOf(option: Buffer | null): Pick<Packet, "sacks" | "sackedTo"> {
  if (!option) return { sacks: false };
  const ends = Array.from({ length: (option.length - 2) >> 3 }, (_, i) => option.readUInt32BE(6 + 8 * i));
  return { sacks: true, ...(ends.length ? { sackedTo: ends.reduce((a, b) => (beyond(a, b) > 0 ? a : b)) } : {}) };
}

/** One of TCP's options, whole: kind and length, but for end (0) and no-operation (1). RFC 9293, section 3.1. */
function findOption(options: Buffer, wanted: number): Buffer | null {
  for (let i = 0; i < options.length && options[i] !== 0; i += options[i] === 1 ? 1 : Math.max(2, options[i + 1] ?? 0))
    if (options[i] === wanted) return options.subarray(i, i + (options[i + 1] ?? 0));
  return null;
}

/** The sequence number after a segment's last byte. */
export const endOf = ({ sequence, payloadBytes }: Packet) => (sequence + payloadBytes) >>> 0;

/** How far sequence number `a` is beyond `b`, negative when it is before: 32 bits that wrap. */
export const beyond = (a: number, b: number) => (a - b) | 0;
