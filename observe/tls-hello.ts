/** Reads the parts of a TLS handshake that are not encrypted. */
import type { ServerHello } from "../schema/evidence.ts";

const [handshakeRecord, applicationDataRecord] = [22, 23];
const [clientHelloMessage, serverHelloMessage, certificateMessage] = [1, 2, 11];
const applicationProtocols = 16;
const supportedVersions = 43;
const keyShare = 51;
const preSharedKey = 41;
/** The random of a HelloRetryRequest: SHA-256 of "HelloRetryRequest". */
const retryRandom = "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c";

/** In TLS 1.3, also true of the client's Finished after a HelloRetryRequest. Otherwise, Finished follows ChangeCipherSpec in the same segment. */
export const startsWithApplicationData = (payload: Buffer) => payload[0] === applicationDataRecord;

/** A request line (RFC 9112, section 3), whose method may be any token (RFC 9110, section 5.6.2). A long line may be cut off anywhere. */
const requestLine =
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ (?:\/|\*|[a-z]+:\/\/)[!-~]*(?: HTTP\/1\.[01]\r\n| [HTP/.01\r]{0,9}$|$)/;

/** Whether a segment starts with a request of HTTP/1.1 without TLS. A segment within a request's body does not start with such a line. */
export const startsWithClearRequest = (payload: Buffer) => requestLine.test(payload.toString("latin1"));
export const isClearAnswer = (payload: Buffer | undefined) => payload?.subarray(0, 5).toString("latin1") === "HTTP/";

const recordHeaderBytes = 5;
/** Length of the first record with its header. */
export const recordBytes = (payload: Buffer) => recordHeaderBytes + payload.readUInt16BE(3);

/**
 * Reads the protocols that a ClientHello offers (ALPN; RFC 8446, section 4.1.2; RFC 7301, section 3.1).
 * @returns null when it is not a ClientHello, offers no protocol, or the list was not captured
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
 * Reads a ServerHello and, in TLS 1.2, the length of the certificates after it. A TLS 1.2 handshake without certificates resumes a session.
 * @returns null when it is not a ServerHello
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

/** Reads a ServerHello in QUIC, which has no TLS records. @param message the handshake message, which starts with its type */
export function quicServerHello(message: Buffer): ServerHello | null {
  const read = readServerHello(message);
  if (!read) return null;
  const { endsAt: _, ...hello } = read;
  return hello;
}

/**
 * Reads version, group and resumption (RFC 8446, section 4.1.3; RFC 5246, section 7.4.1.3). TLS 1.3 resumes with a pre-shared key.
 * A long key_share may push the end of the message out of the capture. If the missing part has room for another extension, that
 * extension is the pre-shared key, because only three extensions are allowed.
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

/** Length of the certificate list, in the same record or the next; null when there is none or it was not captured. */
function certificatesAt(payload: Buffer, endsAt: number): number | null {
  const isSame = endsAt < recordBytes(payload);
  const at = isSame ? endsAt : endsAt + recordHeaderBytes;
  if (at + 7 > payload.length || (!isSame && payload[endsAt] !== handshakeRecord)) return null;
  return payload[at] === certificateMessage ? payload.readUIntBE(at + 4, 3) : null;
}

/** Reads the number of the chosen cipher suite. @param message the ServerHello message @returns null if the number was not captured */
export function chosenCipherSuite(message: Buffer): number | null {
  const randomAt = 4 + 2;
  const at = randomAt + 32 + 1 + (message[randomAt + 32] ?? 0);
  return at + 2 <= message.length ? message.readUInt16BE(at) : null;
}
