/** What QUIC packets show without their keys (RFC 9000, section 17). */
import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";

export const quicVersion1 = 1;

/** Indexed by the two type bits of a long header. */
const longTypes = ["initial", "zeroRtt", "handshake", "retry"] as const;

export interface LongPacket {
  type: (typeof longTypes)[number];
  version: number;
  destinationId: Buffer;
  /** As much of the packet as was captured. */
  bytes: Buffer;
  /** Offset of the packet number. */
  numberAt: number;
}

export interface QuicPackets {
  /** The packets with long headers in the datagram, as far as it was captured. */
  long: LongPacket[];
  /** Whether it contains a packet with a short header, which follows the handshake. */
  hasShort: boolean;
}

/** @param payload of a datagram, as far as it was captured */
export function readQuic(payload: Buffer): QuicPackets {
  const long: LongPacket[] = [];
  let at = 0;
  while (at + 7 <= payload.length && isLong(payload[at]!)) {
    const read = readLong(payload.subarray(at));
    if (!read) break;
    long.push(read.packet);
    at += read.lengthBytes;
  }
  return { long, hasShort: at < payload.length && (payload[at]! & 0xc0) === 0x40 };
}

const isLong = (first: number) => (first & 0x80) !== 0;

function readLong(bytes: Buffer): { packet: LongPacket; lengthBytes: number } | null {
  const type = longTypes[(bytes[0]! >> 4) & 3]!;
  const version = bytes.readUInt32BE(1);
  const sourceAt = 6 + bytes[5]!;
  if (sourceAt >= bytes.length) return null;
  const destinationId = bytes.subarray(6, sourceAt);
  let at = sourceAt + 1 + bytes[sourceAt]!;
  // A Retry has no length field: it is the whole datagram.
  if (type === "retry") return { packet: { type, version, destinationId, bytes, numberAt: at }, lengthBytes: Infinity };
  if (type === "initial") {
    const token = readNumber(bytes, at);
    if (!token) return null;
    at = token.end + token.value;
  }
  const length = readNumber(bytes, at);
  // A long token of an earlier connection may hide the length from the capture; the connection ids are known anyway.
  if (!length && type === "initial")
    return { packet: { type, version, destinationId, bytes, numberAt: bytes.length }, lengthBytes: Infinity };
  if (!length) return null;
  return {
    packet: { type, version, destinationId, bytes, numberAt: length.end },
    lengthBytes: length.end + length.value,
  };
}

/** A variable-length integer, whose first two bits give its size (section 16). */
function readNumber(bytes: Buffer, at: number): { value: number; end: number } | null {
  if (at >= bytes.length) return null;
  const size = 1 << (bytes[at]! >> 6);
  if (at + size > bytes.length) return null;
  let value = bytes[at]! & 0x3f;
  for (let i = 1; i < size; i++) value = value * 256 + bytes[at + i]!;
  return { value, end: at + size };
}

const version1Salt = Buffer.from("38762cf7f55934b34d179ae6a4c80cadccbb7f0a", "hex");
const headerSampleBytes = 16;

/**
 * Decrypts a server's Initial packet. Its keys follow from the connection's first id (RFC 9001, section 5.2). The authentication tag
 * is not checked, because it is not captured.
 * @param firstId the destination id of the client's first Initial
 * @returns the first bytes of its frames, or null when too little was captured
 */
export function openServerInitial({ bytes, numberAt, version }: LongPacket, firstId: Buffer): Buffer | null {
  if (version !== quicVersion1 || numberAt + 4 + headerSampleBytes > bytes.length) return null;
  const secret = expand(extract(firstId), "server in", 32);
  const [key, iv, headerKey] = [
    expand(secret, "quic key", 16),
    expand(secret, "quic iv", 12),
    expand(secret, "quic hp", 16),
  ];
  const mask = createCipheriv("aes-128-ecb", headerKey, null).update(
    bytes.subarray(numberAt + 4, numberAt + 4 + headerSampleBytes),
  );
  const numberBytes = ((bytes[0]! ^ (mask[0]! & 0x0f)) & 3) + 1;
  for (let i = 0; i < numberBytes; i++) iv[iv.length - numberBytes + i]! ^= bytes[numberAt + i]! ^ mask[1 + i]!;
  return createDecipheriv("aes-128-gcm", key, iv).update(bytes.subarray(numberAt + numberBytes));
}

const hmac = (key: Buffer, data: Buffer) => createHmac("sha256", key).update(data).digest();
const extract = (firstId: Buffer) => hmac(version1Salt, firstId);

/** HKDF-Expand-Label (RFC 8446, section 7.1), for at most one hash length. */
function expand(secret: Buffer, label: string, bytes: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  return hmac(secret, Buffer.from([0, bytes, name.length, ...name, 0, 1])).subarray(0, bytes);
}

const [padding, ping, ack, ackWithEcn, crypto] = [0, 1, 2, 3, 6];

/** The start of the handshake in an Initial's frames, or null when these carry none of it, or a later part. */
export function firstCryptoBytes(frames: Buffer): Buffer | null {
  let at = 0;
  const number = () => {
    const read = readNumber(frames, at);
    at = read?.end ?? frames.length;
    return read?.value ?? 0;
  };
  while (at < frames.length) {
    const type = number();
    if (type === padding || type === ping) continue;
    if (type === crypto) return number() === 0 ? frames.subarray(readNumber(frames, at)?.end ?? at) : null;
    if (type !== ack && type !== ackWithEcn) return null;
    const ranges = [number(), number(), number()][2]!; // after the largest and the delay
    for (let i = 0; i < 1 + 2 * ranges + (type === ackWithEcn ? 3 : 0) && at < frames.length; i++) number();
  }
  return null;
}
