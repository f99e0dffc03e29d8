import { crc32 } from "node:zlib";
import type { Frame } from "./packet-capture.ts";

/** What is known of any captured packet. */
interface Seen {
  timeMs: number;
  /** Length of the frame on the wire. */
  frameBytes: number;
  /** "198.18.0.10:40123" */
  source: string;
  destination: string;
  /** Identifies the packet at both ends: a checksum of its addresses, its IPv4 identification and what follows. */
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
  /** The receive window, unscaled. */
  window: number;
  /** Options of a SYN: the window scale's exponent and the maximum segment size; null when absent. */
  windowScale: number | null;
  mssBytes: number | null;
  /** It has selective acknowledgments (RFC 2018). */
  sacks: boolean;
  /** The highest sequence number that these acknowledge. */
  sackedTo?: number;
  payloadBytes: number;
  /** As much of the payload as was captured. */
  payload: Buffer;
}

/** One UDP datagram. */
export interface UdpPacket extends Seen {
  transport: "udp";
  payloadBytes: number;
  /** As much of the payload as was captured. */
  payload: Buffer;
}

/** ICMP "port unreachable" (RFC 792): a UDP datagram arrived after its socket was closed. Its ends have no ports. */
export interface Unreachable extends Seen {
  transport: "icmp";
  /** The ends of that datagram. */
  about: { source: string; destination: string };
}

const ipv4 = 0x0800;
const [icmp, tcp, udp] = [1, 6, 17];
const unreachable = 3;
/** How much of a datagram's payload goes into its mark: QUIC packets are encrypted, and no two start alike. */
const markedBytes = 32;
const [mssOption, scaleOption, sackOption] = [2, 3, 5];

/** A frame's packet, or a description of a frame that the lab's networks should not carry. */
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
    mark: markOf(ip, [header.subarray(0, 16), header.subarray(18)]), // not the checksum: it may be filled in after the capture
  };
}

const addressAt = (ip: Buffer, offset: number) => ip.subarray(offset, offset + 4).join(".");

/** @param ip a packet from its IP header on, at least up to the ports */
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

/** A checksum of everything that routers do not change. @param rest without the transport's checksum */
const markOf = (ip: Buffer, rest: Buffer[]): number =>
  [ip.subarray(12, 20), ...rest].reduce((sum, bytes) => crc32(bytes, sum), crc32(ip.subarray(4, 6)));

/** Each block is two sequence numbers; the first block may report a duplicate that is acknowledged already (RFC 2883). */
function sackedOf(option: Buffer | null): Pick<Packet, "sacks" | "sackedTo"> {
  if (!option) return { sacks: false };
  const ends = Array.from({ length: (option.length - 2) >> 3 }, (_, i) => option.readUInt32BE(6 + 8 * i));
  return { sacks: true, ...(ends.length ? { sackedTo: ends.reduce((a, b) => (beyond(a, b) > 0 ? a : b)) } : {}) };
}

/** A TCP option with its kind and length, which all have except end (0) and no-operation (1). RFC 9293, section 3.1. */
function findOption(options: Buffer, wanted: number): Buffer | null {
  for (let i = 0; i < options.length && options[i] !== 0; i += options[i] === 1 ? 1 : Math.max(2, options[i + 1] ?? 0))
    if (options[i] === wanted) return options.subarray(i, i + (options[i + 1] ?? 0));
  return null;
}

/** The sequence number after a segment's last byte. */
export const endOf = ({ sequence, payloadBytes }: Packet) => (sequence + payloadBytes) >>> 0;

/** How far sequence number `a` is after `b`; negative when it is before. Sequence numbers have 32 bits and wrap. */
export const beyond = (a: number, b: number) => (a - b) | 0;
