import type { ServerHello } from "../schema/evidence.ts";

/** What a capture can tell of TLS without its keys. */

const [handshakeRecord, applicationDataRecord] = [22, 23];
const [clientHelloMessage, serverHelloMessage, certificateMessage] = [1, 2, 11];
const applicationProtocols = 16;
const supportedVersions = 43;
const keyShare = 51;
const preSharedKey = 41;
/** The random number of a ServerHello that asks for another key instead: SHA-256 of "HelloRetryRequest". */
const retryRandom = "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c";

/**
 * Whether a segment of the client's begins with application data, or with its handshake's end: in TLS 1.3 that looks the
 * same, but follows ChangeCipherSpec in one segment, unless the server had asked for another key.
 */
export const startsWithApplicationData = (payload: Buffer) => payload[0] === applicationDataRecord;

/** HTTP/1.1 without TLS. */
export const startsWithClearRequest = (payload: Buffer) => payload.subarray(0, 4).toString("latin1") === "GET ";
export const isClearAnswer = (payload: Buffer | undefined) => payload?.subarray(0, 5).toString("latin1") === "HTTP/";

const recordHeaderBytes = 5;
/** The first record's own bytes, header and all. */
export const recordBytes = (payload: Buffer) => recordHeaderBytes + payload.readUInt16BE(3);

/**
 * The protocols that a ClientHello offers (ALPN; RFC 8446, section 4.1.2; RFC 7301, section 3.1).
 * @param payload the first bytes of a segment of the client's; null if it is no ClientHello, offers none, or is not captured so far
 */
export function offeredProtocols(payload: Buffer | undefined): string[] | null {
  if (payload?.[0] !== handshakeRecord || payload[recordHeaderBytes] !== clientHelloMessage) return null;
  const after = (at: number, lengthBytes: 1 | 2) =>
    at + lengthBytes <= payload.length ? at + lengthBytes + payload.readUIntBE(at, lengthBytes) : payload.length;
  const sessionIdAt = recordHeaderBytes + 4 + 2 + 32; // header, version, random
  const compressionAt = after(after(sessionIdAt, 1), 2);
  let at = after(compressionAt, 1) + 2;
  while (at + 6 <= payload.length && payload.readUInt16BE(at) !== applicationProtocols) at = after(at + 2, 2);
  const [listAt, endsAt] = [at + 6, after(at + 2, 2)];
  if (listAt >= endsAt || endsAt > payload.length) return null;
  const offered: string[] = [];
  for (let next = listAt; next < endsAt; next = after(next, 1))
    offered.push(payload.toString("latin1", next + 1, after(next, 1)));
  return offered;
}

/**
 * A ServerHello and what follows it in TLS 1.2: certificates or, where a session is resumed, the end.
 * @param payload the first bytes of a segment of the server's; null if it is no ServerHello
 */
export function serverHello(payload: Buffer | undefined): ServerHello | null {
  if (payload?.[0] !== handshakeRecord) return null;
  const read = readServerHello(payload.subarray(recordHeaderBytes));
  if (!read) return null;
  const { endsAt, ...hello } = read;
  if (hello.version === "1.3") return hello;
  const certificateBytes = certificatesAt(payload, recordHeaderBytes + endsAt);
  return certificateBytes === null ? { ...hello, resumed: true } : { ...hello, certificateBytes };
}

/** The same of a hello that QUIC carries, without a record around it. @param message from its type on */
export function quicServerHello(message: Buffer): ServerHello | null {
  const read = readServerHello(message);
  if (!read) return null;
  const { endsAt: _, ...hello } = read;
  return hello;
}

/**
 * RFC 8446, section 4.1.3; RFC 5246, section 7.4.1.3: its version, the group of its key, and whether it resumes a session.
 * In TLS 1.3 that is an accepted pre-shared key; of the three extensions it may have only key_share is long, and may hide
 * what follows from the capture: a rest in which another extension fits is that of the key.
 */
function readServerHello(message: Buffer): (ServerHello & { endsAt: number }) | null {
  if (message.length < 45 || message[0] !== serverHelloMessage) return null;
  const randomAt = 4 + 2; // header, version
  const sessionIdBytes = message[randomAt + 32]!;
  const lengthAt = randomAt + 32 + 1 + sessionIdBytes + 2 + 1; // session id, cipher, compression
  if (message.length < lengthAt + 6) return null;
  const endsAt = lengthAt + 2 + message.readUInt16BE(lengthAt);
  const seen = new Set<number>();
  let group: number | null = null;
  for (let at = lengthAt + 2; at + 4 <= endsAt; at += 4 + message.readUInt16BE(at + 2)) {
    if (at + 4 > message.length) {
      seen.add(preSharedKey);
      break;
    }
    const extension = message.readUInt16BE(at);
    seen.add(extension);
    if (extension === keyShare && at + 6 <= message.length) group = message.readUInt16BE(at + 4);
  }
  if (!seen.has(keyShare) && !seen.has(supportedVersions))
    return { version: "1.2", group: null, resumed: false, retry: false, endsAt };
  const retry = message.toString("hex", randomAt, randomAt + 32) === retryRandom;
  return { version: "1.3", group, resumed: seen.has(preSharedKey), retry, endsAt };
}

/** How long their list is, in the same record or in the next; null where there is none. What is not captured is no sign of them. */
function certificatesAt(payload: Buffer, endsAt: number): number | null {
  const isSame = endsAt < recordBytes(payload);
  const at = isSame ? endsAt : endsAt + recordHeaderBytes;
  if (at + 7 > payload.length || (!isSame && payload[endsAt] !== handshakeRecord)) return null;
  return payload[at] === certificateMessage ? payload.readUIntBE(at + 4, 3) : null;
}
