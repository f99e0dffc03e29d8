/** Tests the decryption of TLS over TCP, with records that this test encrypts itself. */
import assert from "node:assert/strict";
import { createCipheriv } from "node:crypto";
import { test } from "node:test";
import { expandLabel } from "./aead.ts";
import { readKeyLog } from "./key-log.ts";
import type { Packet } from "./packet.ts";
import { conversations } from "./tcp-flows.ts";
import { ack, clientStart, handshake, send, serverStart } from "./test-packets.fixture.ts";
import { openTls } from "./tls-records.ts";

const random = "ab".repeat(32);
const secretOf = (n: number) => Buffer.alloc(32, n);
const log = [
  `CLIENT_HANDSHAKE_TRAFFIC_SECRET ${random} ${secretOf(1).toString("hex")}`,
  `SERVER_HANDSHAKE_TRAFFIC_SECRET ${random} ${secretOf(2).toString("hex")}`,
  `CLIENT_TRAFFIC_SECRET_0 ${random} ${secretOf(3).toString("hex")}`,
  `SERVER_TRAFFIC_SECRET_0 ${random} ${secretOf(4).toString("hex")}`,
].join("\n");
const updated = (secret: Buffer) => expandLabel("sha256", secret, "traffic upd", 32);

const [handshakeType, dataType] = [22, 23];
const header = (type: number, bytes: number) => Buffer.from([type, 3, 3, bytes >> 8, bytes & 255]);

/** A record with TLS_AES_128_GCM_SHA256. @param type the content's type @param padding how many zeros follow the content */
function record(secret: Buffer, number: number, type: number, content: string, padding = 0): Buffer {
  const nonce = expandLabel("sha256", secret, "iv", 12);
  nonce[11]! ^= number;
  const inner = Buffer.concat([Buffer.from(content), Buffer.from([type]), Buffer.alloc(padding)]);
  const head = header(23, inner.length + 16);
  const cipher = createCipheriv("aes-128-gcm", expandLabel("sha256", secret, "key", 16), nonce).setAAD(head);
  return Buffer.concat([head, cipher.update(inner), cipher.final(), cipher.getAuthTag()]);
}

/** A ClientHello or ServerHello with only the fields that are read: the random number and the cipher suite that the server chose. */
const hello = (type: number, suite: number) => {
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.from(random, "hex"),
    Buffer.from([0, suite >> 8, suite & 255, 0]),
  ]);
  return Buffer.concat([header(handshakeType, body.length + 4), Buffer.from([type, 0, 0, body.length]), body]);
};

const up = Buffer.concat([
  hello(1, 0),
  record(secretOf(1), 0, handshakeType, "Finished"),
  record(secretOf(3), 0, dataType, "GET"),
]);
const down = (suite = 0x1301) =>
  Buffer.concat([
    hello(2, suite),
    record(secretOf(2), 0, handshakeType, "Certificate"),
    record(secretOf(2), 1, handshakeType, "Finished"),
    record(secretOf(4), 0, handshakeType, "NewSessionTicket"),
    record(secretOf(4), 1, dataType, "a response", 5),
    record(secretOf(4), 2, handshakeType, "KeyUpdate"),
    record(updated(secretOf(4)), 0, dataType, "its rest"),
  ]);

/** Segments of 100 bytes from client and server. The server's second segment comes before its first and again after it, as after a loss. */
function captured(server: Buffer, change: (packet: Packet) => Packet = (packet) => packet): Packet[] {
  const segments = (stream: Buffer, start: number, made: Packet) =>
    Array.from({ length: Math.ceil(stream.length / 100) }, (_, i): Packet => {
      const payload = stream.subarray(i * 100, (i + 1) * 100);
      return { ...made, sequence: (start + 1 + i * 100) >>> 0, payload, payloadBytes: payload.length };
    });
  const [first, second, ...rest] = segments(server, serverStart, send(102, 0));
  return [...handshake, ...segments(up, clientStart, ack(101, 0)), second!, first!, second!, ...rest].map(change);
}

const open = (packets: Packet[], keys = log) => openTls(conversations(packets)[0]!, readKeyLog(keys));

test("application data is decrypted even after a key update, with its position in the TCP stream", () => {
  const opened = open(captured(down()))!;
  assert.deepEqual(
    opened.down.map(({ content }) => content.toString()),
    ["a response", "its rest"],
  );
  assert.deepEqual(
    opened.up.map(({ content }) => content.toString()),
    ["GET"],
  );
  const all = down();
  const before = all.length - ("its rest".length + 1 + 16);
  assert.equal(opened.down[1]!.at, before, "the first byte behind the record's header");
});

test("openTls is null without the connection's secrets, for TLS 1.2, and if segments are truncated", () => {
  assert.equal(open(captured(down()), ""), null);
  assert.equal(open(captured(down()), log.replaceAll(random, "cd".repeat(32))), null, "another connection's secrets");
  assert.equal(open(captured(down(0xc02f))), null, "a cipher suite of TLS 1.2");
  const cut = ({ payload, ...packet }: Packet) => ({ ...packet, payload: payload.subarray(0, 50) });
  assert.equal(open(captured(down(), cut)), null);
});

test("decryption ends at a damaged record, and at bytes that never arrived", () => {
  const damaged = down();
  damaged[damaged.length - 1]! ^= 1;
  assert.deepEqual(
    open(captured(damaged))!.down.map(({ content }) => content.toString()),
    ["a response"],
  );
  const lost = captured(down()).filter(({ sequence }) => sequence !== (serverStart + 1 + 100) >>> 0);
  assert.deepEqual(open(lost)!.down, []);
});
