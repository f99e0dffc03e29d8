/** Tests the decryption of QUIC packets: packets that this test encrypts itself, and RFC 9001's example. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readKeyLog } from "./key-log.ts";
import { quicConversations } from "./quic-conversations.ts";
import { readFrames } from "./quic-frames.ts";
import { PacketKeys } from "./quic-keys.ts";
import { openConversation } from "./quic-opened.ts";
import { openPacket, readQuic } from "./quic-packet.ts";
import {
  bytes,
  clientInitial,
  datagram,
  firstId,
  initial,
  logOf,
  noId,
  retry,
  secretOf,
  serverId,
  serverInitial,
  short,
} from "./quic-packets.fixture.ts";

test("the packet that ChaCha20 protects in the example of RFC 9001, appendix A.5, is decrypted", () => {
  const secret = bytes("9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b");
  const packet = bytes("4cfe4189655e5cd55c41f69080575d7999c25a5bfb");
  const sealed = { bytes: packet, wholeBytes: packet.length, numberAt: 1 };
  const opened = openPacket(sealed, new PacketKeys(secret, 4867), 654_360_563);
  assert.deepEqual(opened && [opened.number, opened.payload.toString("hex")], [654_360_564, "01"]);
  const damaged = { ...sealed, bytes: Buffer.concat([packet.subarray(0, -1), bytes("00")]) };
  assert.equal(openPacket(damaged, new PacketKeys(secret, 4867), 654_360_563), null, "the packet's tag is wrong");
});

test("a packet with a short header is found even if its fixed bit is cleared (RFC 9287), but padding zeros are not a packet", () => {
  const packet = short(secretOf(3), serverId, 7, bytes("01"));
  const greased = Buffer.from(packet);
  greased[0]! &= ~0x40;
  for (const one of [packet, greased]) {
    assert.deepEqual(readQuic(one).short, { bytes: one, wholeBytes: one.length });
    const behind = readQuic(Buffer.concat([serverInitial, one]));
    assert.deepEqual([behind.long.length, behind.short?.bytes], [1, one]);
  }
  const padded = readQuic(Buffer.concat([serverInitial, Buffer.alloc(40)]));
  assert.deepEqual([padded.long.length, padded.short], [1, undefined]);
});

test("frames of all types are read in sequence, up to the point where the capture ends", () => {
  const all = bytes(
    [
      "02 4064 05 01 03 00 02", // ACK: 97 to 100, and 93 to 95
      "03 0a 00 00 00 01 02 03", // ACK with ECN counts: 10
      "06 00 03 616263", // CRYPTO
      "0e 04 4100 03 616263", // STREAM 4 with offset 256 and length
      "18 01 00 04 01020304 000102030405060708090a0b0c0d0e0f", // NEW_CONNECTION_ID
      "10 4400 11 04 05 19 01 1a 0102030405060708 1e 01 0000", // MAX_DATA ... HANDSHAKE_DONE, PING, PADDING
      "14 4100 15 04 4200", // DATA_BLOCKED at 256 bytes, STREAM_DATA_BLOCKED of stream 4 at 512
      "1d 4101 02 6279", // CONNECTION_CLOSE of the application, error 257
      "09 08 616263", // STREAM 8 to the end of the packet, with FIN
    ].join(""),
  );
  const { frames, isComplete } = readFrames(all, all.length);
  assert.ok(isComplete);
  assert.deepEqual(frames.slice(0, 4), [
    {
      type: "ack",
      ranges: [
        [97, 100],
        [93, 95],
      ],
      delay: 5,
    },
    { type: "ack", ranges: [[10, 10]], delay: 0 },
    { type: "crypto", offset: 0, bytes: 3, dataAt: 19 },
    { type: "stream", id: 4, offset: 256, bytes: 3, fin: false },
  ]);
  const [all256, stream512, close, last] = frames.slice(-4);
  assert.deepEqual(all256, { type: "blocked", limitBytes: 256 });
  assert.deepEqual(stream512, { type: "blocked", limitBytes: 512 });
  assert.deepEqual(close, { type: "close", error: 257 });
  assert.deepEqual(last, { type: "stream", id: 8, offset: 0, bytes: 3, fin: true });
  for (let size = 0; size < all.length; size++) {
    const cut = readFrames(all.subarray(0, size), all.length);
    assert.equal(cut.isComplete, size >= all.length - 3, `cut after ${size}`); // the last stream's data may be missing
    assert.deepEqual(cut.frames, frames.slice(0, cut.frames.length));
  }
  assert.deepEqual(
    readFrames(bytes("01 7fff 01"), 4),
    { frames: [{ type: "ping" }], isComplete: false },
    "an unknown type",
  );
});

const ack = (largest: number) => bytes(`02 4${largest.toString(16).padStart(3, "0")} 00 00 00 01 01`);
const data = Buffer.concat([bytes("0a 00 4200"), Buffer.alloc(512, 97)]); // STREAM 0
const up = (timeMs: number, payload: Buffer) => datagram(timeMs, true, payload, payload.length);
/** A datagram of the server, of which only the head is captured. */
const down = (timeMs: number, payload: Buffer) => datagram(timeMs, false, payload.subarray(0, 214), payload.length);
const begun = [datagram(0, true, clientInitial), datagram(50, false, serverInitial, serverInitial.length)];

const openedWith = (log: string, more: ReturnType<typeof datagram>[]) =>
  openConversation(quicConversations([...begun, ...more])[0]!, readKeyLog(log));

test("packets are decrypted with the secrets of their own connection, even after key updates", () => {
  const [mine, its] = [secretOf(7), secretOf(8)];
  const more = [
    up(60, short(mine, serverId, 0, ack(0))),
    down(61, short(its, noId, 1, data)),
    down(62, short(its, noId, 3, data, 1)),
    down(63, short(its, noId, 2, data)), // reordered: the first packet with new keys arrived before it
    up(64, short(mine, serverId, 1, ack(3), 1)),
    down(65, short(its, noId, 300, data, 2)),
    down(66, short(secretOf(9), noId, 301, data).subarray(0, 100)), // encrypted with another connection's secret
  ];
  const { packets, unopened } = openedWith(`${logOf(5, 6)}\n${logOf(7, 8)}`, more)!;
  const ofData = packets.filter(({ level }) => level === "data");
  assert.deepEqual(
    ofData
      .slice(0, 6)
      .map(({ timeMs, number, fromClient, isAckEliciting }) => [timeMs, number, fromClient, isAckEliciting]),
    [
      [60, 0, true, true],
      [61, 1, false, true],
      [62, 3, false, true],
      [63, 2, false, true],
      [64, 1, true, true],
      [65, 300, false, true],
    ],
  );
  assert.deepEqual(ofData[5]!.frames, [{ type: "stream", id: 0, offset: 0, bytes: 512, fin: false }]);
  assert.deepEqual(ofData[4]!.frames[0], { type: "ack", ranges: [[3, 3]], delay: 0 });
  assert.deepEqual([ofData.length, unopened], [6, 1], "the other connection's packet is not decrypted");
});

test("the client's packets before a Retry, whose keys are not those of the connection, are decrypted, too", () => {
  const before = [0, 1].map((number) =>
    datagram(number, true, initial(bytes("0102030405060708"), number, bytes("01 00 00 00"))),
  );
  const [mine, its] = [secretOf(7), secretOf(8)];
  const after = [
    datagram(50, false, retry(firstId), 43),
    datagram(51, true, initial(firstId, 2, bytes("01 00 00 00"))),
    datagram(100, false, serverInitial, serverInitial.length),
    up(110, short(mine, serverId, 0, ack(0))),
    down(111, short(its, noId, 1, data)),
  ];
  const { packets, unopened } = openConversation(
    quicConversations([...before, ...after])[0]!,
    readKeyLog(logOf(7, 8)),
  )!;
  assert.deepEqual(
    packets.map(({ level, number, fromClient }) => [level, number, fromClient]),
    [
      ["initial", 0, true],
      ["initial", 1, true],
      ["initial", 2, true],
      ["initial", 1, false],
      ["data", 0, true],
      ["data", 1, false],
    ],
  );
  assert.equal(unopened, 0);
});

test("without the connection's own secrets nothing is decrypted", () => {
  const more = [up(60, short(secretOf(7), serverId, 0, ack(0))), down(61, short(secretOf(8), noId, 1, data))];
  assert.equal(openedWith(logOf(5, 6), more), null);
  assert.equal(openedWith("", more), null);
  assert.equal(openedWith(logOf(7, 8).split("\n").slice(1).join("\n"), more), null, "a secret is missing");
  assert.equal(openedWith(logOf(7, 8), []), null, "no packet to test the secrets with");
  assert.notEqual(openedWith(logOf(7, 8), more), null);
});
