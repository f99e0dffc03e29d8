import type { HandshakeKind } from "../schema/evidence.ts";

/** What a capture can tell of TLS without its keys. */

const [clearAnswer, handshakeRecord] = ["HTTP/", 22];
const applicationDataRecord = 23;
const serverHello = 2;
const supportedVersions = 43;
const keyShare = 51;
const preSharedKey = 41;

/** The record after the handshake's: the client's first is its Finished, in a segment that begins with ChangeCipherSpec. */
export const startsWithApplicationData = (payload: Buffer) => payload[0] === applicationDataRecord;
export const startsWithClearRequest = (payload: Buffer) => payload.subarray(0, 4).toString("latin1") === "GET ";

/** @param payload the first bytes of the server's first segment */
export function handshakeKind(payload: Buffer | undefined): HandshakeKind {
  if (payload?.subarray(0, clearAnswer.length).toString("latin1") === clearAnswer) return "none";
  return payload?.[0] === handshakeRecord ? serverHelloKind(payload.subarray(5)) : "unknown";
}

/**
 * Whether a ServerHello (RFC 8446, section 4.1.3) accepts a pre-shared key. Of the three extensions it may have only
 * key_share is long, and may hide what follows from the capture: a rest in which another extension fits is that of the
 * key.
 * @param hello the first bytes of the server's first handshake message
 */
export function serverHelloKind(hello: Buffer): HandshakeKind {
  if (hello.length < 45 || hello[0] !== serverHello) return "unknown";
  const sessionIdBytes = hello[4 + 2 + 32]!;
  const lengthAt = 4 + 2 + 32 + 1 + sessionIdBytes + 2 + 1; // header, version, random, session id, cipher, compression
  if (hello.length < lengthAt + 6) return "unknown";
  const end = lengthAt + 2 + hello.readUInt16BE(lengthAt);
  const seen = new Set<number>();
  for (let at = lengthAt + 2; at + 4 <= end; at += 4 + hello.readUInt16BE(at + 2)) {
    if (at + 4 > hello.length) {
      seen.add(preSharedKey);
      break;
    }
    seen.add(hello.readUInt16BE(at));
  }
  if (!seen.has(keyShare) && !seen.has(supportedVersions)) return "unknown"; // TLS 1.2
  return seen.has(preSharedKey) ? "resumed" : "full";
}
