import { crc32 } from "node:zlib";
import type { Frame } from "./capture.ts";

/** One TCP segment as a capture saw it. Sequence numbers as on the wire, 32 bits. */
export interface Packet {
  timeMs: number;
  /** The whole frame, on the wire. */
  frameBytes: number;
  /** "198.18.0.10:40123" */
  source: string;
  destination: string;
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
  payloadBytes: number;
  /** The payload's first bytes, as many as were captured. */
  payload: Buffer;
  /** What it is known by at both ends: a checksum of its addresses, its number (IPv4's identification) and its TCP header. */
  mark: number;
}

const ipv4 = 0x0800;
const tcp = 6;
const [mssOption, scaleOption, sackOption] = [2, 3, 5];

/** A frame's TCP segment, or words for what it is instead: the lab's networks carry nothing else. */
export function decode({ timeMs, bytes: frameBytes, head }: Frame): Packet | string {
  const type = head.readUInt16BE(12);
  if (type !== ipv4) return `EtherType 0x${type.toString(16).padStart(4, "0")}`;
  const ip = head.subarray(14);
  const address = (offset: number) => ip.subarray(offset, offset + 4).join(".");
  if (ip[9] !== tcp) return `IP protocol ${ip[9]} from ${address(12)} to ${address(16)}`;
  const ipHeaderBytes = (ip[0]! & 15) * 4;
  const segment = ip.subarray(ipHeaderBytes);
  const headerBytes = (segment[12]! >> 4) * 4;
  const flags = segment[13]!;
  const option = (kind: number) => findOption(segment.subarray(20, headerBytes), kind);
  const payloadBytes = ip.readUInt16BE(2) - ipHeaderBytes - headerBytes;
  return {
    timeMs,
    frameBytes,
    source: `${address(12)}:${segment.readUInt16BE(0)}`,
    destination: `${address(16)}:${segment.readUInt16BE(2)}`,
    sequence: segment.readUInt32BE(4),
    acknowledgment: segment.readUInt32BE(8),
    syn: (flags & 2) !== 0,
    fin: (flags & 1) !== 0,
    reset: (flags & 4) !== 0,
    push: (flags & 8) !== 0,
    window: segment.readUInt16BE(14),
    windowScale: option(scaleOption)?.[2] ?? null,
    mssBytes: option(mssOption)?.readUInt16BE(2) ?? null,
    sacks: option(sackOption) !== null,
    payloadBytes,
    payload: segment.subarray(headerBytes, headerBytes + payloadBytes), // Ethernet pads short frames
    mark: markOf(ip, segment.subarray(0, headerBytes)),
  };
}

/** Of all that no router changes, but for TCP's own checksum, which a device may fill in later than a capture sees it. */
function markOf(ip: Buffer, header: Buffer): number {
  const [number, addresses, ports, options] = [
    ip.subarray(4, 6),
    ip.subarray(12, 20),
    header.subarray(0, 16),
    header.subarray(18),
  ];
  return [addresses, ports, options].reduce((sum, bytes) => crc32(bytes, sum), crc32(number));
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
