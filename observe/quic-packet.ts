/** Finds the QUIC packets in a datagram, and decrypts them (RFC 9000, section 17; RFC 9001, section 5). */
import { createHmac } from "node:crypto";
import { expandLabel, tagBytes } from "./aead.ts";
import { readFrames, readNumber } from "./quic-frames.ts";
import { headerSampleBytes, PacketKeys } from "./quic-keys.ts";

export const quicVersion1 = 1;

/** The types of packets with a long header, indexed by the header's two type bits. */
const longTypes = ["initial", "zeroRtt", "handshake", "retry"] as const;

/** A packet as it was sent: encrypted, and with header protection. */
export interface SealedPacket {
  /** The captured part. */
  bytes: Buffer;
  wholeBytes: number;
  /** Offset of the packet number. */
  numberAt: number;
}

export interface LongPacket extends SealedPacket {
  type: (typeof longTypes)[number];
  version: number;
  destinationId: Buffer;
  sourceId: Buffer;
}

export interface QuicPackets {
  /** The packets with long headers in the datagram, as far as it was captured. */
  long: LongPacket[];
  /** The packet with a short header, used after the handshake. The packet number's offset is unknown, because the header lacks the ID's length. */
  short?: Omit<SealedPacket, "numberAt">;
}

/** @param payload the captured part of a datagram's payload @param wholeBytes length of the whole payload */
export function readQuic(payload: Buffer, wholeBytes = payload.length): QuicPackets {
  const long: LongPacket[] = [];
  let at = 0;
  while (at + 7 <= payload.length && isLong(payload[at]!)) {
    const packet = readLong(payload.subarray(at), wholeBytes - at);
    if (!packet) break;
    long.push(packet);
    at += packet.wholeBytes;
  }
  return hasShort(payload.subarray(at), at > 0)
    ? { long, short: { bytes: payload.subarray(at), wholeBytes: wholeBytes - at } }
    : { long };
}

/**
 * Firefox and quinn clear the fixed bit at random if both allow it (RFC 9287), so only the first bit shows that a packet has a short header.
 * Padding zeros after another packet are not a packet.
 */
const hasShort = (rest: Buffer, isBehindAnother: boolean): boolean =>
  rest.length > 0 && !isLong(rest[0]!) && !(isBehindAnother && rest.every((byte) => byte === 0));

const isLong = (first: number) => (first & 0x80) !== 0;

/** @param restBytes length of the rest of the datagram, from this packet on */
function readLong(bytes: Buffer, restBytes: number): LongPacket | null {
  const type = longTypes[(bytes[0]! >> 4) & 3]!;
  const version = bytes.readUInt32BE(1);
  const sourceAt = 6 + bytes[5]!;
  if (sourceAt >= bytes.length) return null;
  const destinationId = bytes.subarray(6, sourceAt);
  let at = sourceAt + 1 + bytes[sourceAt]!;
  const sourceId = bytes.subarray(sourceAt + 1, at);
  const rest = { type, version, destinationId, sourceId, bytes, wholeBytes: restBytes };
  // A Retry has no length field: it is the whole datagram.
  if (type === "retry") return { ...rest, numberAt: at };
  if (type === "initial") {
    const token = readNumber(bytes, at);
    if (!token) return null;
    at = token.end + token.value;
  }
  const length = readNumber(bytes, at);
  // A long token from an earlier connection may push the length field out of the capture; the connection IDs are known anyway.
  if (!length) return type === "initial" ? { ...rest, numberAt: bytes.length } : null;
  const wholeBytes = length.end + length.value;
  return { ...rest, bytes: bytes.subarray(0, wholeBytes), wholeBytes, numberAt: length.end };
}

export interface Opened {
  number: number;
  /** The captured part of its frames, and the length of all its frames. */
  payload: Buffer;
  payloadBytes: number;
  /** For short headers: whether the sender had updated its keys an odd number of times. */
  phaseBit: boolean;
}

/** Whether enough was captured to remove the header protection. */
export const isCapturedFarEnough = ({ bytes, numberAt }: Pick<SealedPacket, "bytes" | "numberAt">) =>
  numberAt + 4 + headerSampleBytes <= bytes.length;

/**
 * Decrypts the captured part of a packet. If the whole packet was captured, its tag is checked.
 * @param largest the largest packet number received before; -1 if none was @param phaseOf returns how often the sender had updated its keys
 * @returns null if too little was captured, or the keys do not fit
 */
export function openPacket(
  { bytes, wholeBytes, numberAt }: SealedPacket,
  keys: PacketKeys,
  largest: number,
  phaseOf: (phaseBit: boolean, number: number) => number = () => 0,
): Opened | null {
  if (!isCapturedFarEnough({ bytes, numberAt })) return null;
  const sampleAt = numberAt + 4;
  const mask = keys.headerMask(bytes.subarray(sampleAt, sampleAt + headerSampleBytes));
  const first = bytes[0]! ^ (mask[0]! & (isLong(bytes[0]!) ? 0x0f : 0x1f));
  const headerBytes = numberAt + (first & 3) + 1;
  const header = Buffer.from(bytes.subarray(0, headerBytes));
  header[0] = first;
  for (let i = numberAt; i < headerBytes; i++) header[i]! ^= mask[1 + i - numberAt]!;
  const number = wholeNumber(header.readUIntBE(numberAt, headerBytes - numberAt), headerBytes - numberAt, largest);
  const phaseBit = (first & 4) !== 0;
  const isWhole = bytes.length === wholeBytes;
  const sealed = bytes.subarray(headerBytes, isWhole ? wholeBytes : Math.min(bytes.length, wholeBytes - tagBytes));
  const payload = keys.open(phaseOf(phaseBit, number), number, header, sealed, isWhole);
  return payload && { number, payload, payloadBytes: wholeBytes - headerBytes - tagBytes, phaseBit };
}

/** Reconstructs a packet number of which only the last bytes were sent (RFC 9000, appendix A.3). */
function wholeNumber(sent: number, sentBytes: number, largest: number): number {
  const [expected, window] = [largest + 1, 2 ** (8 * sentBytes)];
  const candidate = Math.floor(expected / window) * window + sent;
  if (candidate <= expected - window / 2) return candidate + window;
  return candidate > expected + window / 2 && candidate >= window ? candidate - window : candidate;
}

const version1Salt = Buffer.from("38762cf7f55934b34d179ae6a4c80cadccbb7f0a", "hex");

/** The keys of Initial packets (RFC 9001, section 5.2). @param firstId the destination connection ID of the client's first Initial */
export function initialKeys(firstId: Buffer, end: "client" | "server"): PacketKeys {
  const initial = createHmac("sha256", version1Salt).update(firstId).digest();
  const secret = expandLabel("sha256", initial, `${end} in`, 32);
  return new PacketKeys(secret, 4865); // TLS_AES_128_GCM_SHA256
}

/** @returns the start of the handshake data in an Initial; null if the packet does not have that start, or the keys do not fit */
export function firstCryptoBytes(packet: LongPacket, keys: PacketKeys): Buffer | null {
  const opened = packet.version === quicVersion1 ? openPacket(packet, keys, -1) : null;
  if (!opened) return null;
  const { frames } = readFrames(opened.payload, opened.payloadBytes);
  const crypto = frames.find((frame) => frame.type === "crypto");
  return crypto?.offset === 0 ? opened.payload.subarray(crypto.dataAt) : null;
}
