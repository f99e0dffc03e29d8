import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { decode } from "./packet.ts";
import { headsOnly } from "./packet-capture.ts";

const frame = (hex: string) => ({ timeMs: 5, bytes: 999, head: Buffer.from(hex.replace(/\s/g, ""), "hex") });
const ethernet = "0242c612000a 0242c6120002 0800";

test("a TCP segment is decoded without Ethernet's padding", () => {
  const packet = decode(
    frame(`${ethernet} 45000038 00004000 40060000 c612010b c612000a
    1150 9c40 00000010 00000020 9018 0100 0000 0000 0101 050a 00000021 00000022 0000 00000000 000000000000`),
  );
  assert.ok(typeof packet !== "string" && packet.transport === "tcp");
  assert.deepEqual(
    [packet.source, packet.destination, packet.sequence, packet.acknowledgment],
    ["198.18.1.11:4432", "198.18.0.10:40000", 16, 32],
  );
  assert.deepEqual(
    [packet.syn, packet.fin, packet.reset, packet.push, packet.sacks],
    [false, false, false, true, true],
  );
  assert.deepEqual([packet.payloadBytes, packet.payload.length, packet.frameBytes, packet.timeMs], [0, 0, 999, 5]);
});

test("a duplicate SACK (RFC 2883) does not count as a selective acknowledgment of later data", () => {
  const packet = decode(
    frame(`${ethernet} 45000038 00004000 40060000 c612010b c612000a
    1150 9c40 00000010 00000020 9018 0100 0000 0000 0101 050a 00000001 00000002`),
  );
  assert.ok(typeof packet !== "string" && packet.transport === "tcp");
  assert.deepEqual([packet.sacks, packet.sackedTo], [false, 2]);
});

test("decode describes packets that are neither TCP nor UDP", () => {
  assert.equal(decode(frame(`0242c612000a 0242c6120002 86dd`)), "EtherType 0x86dd");
  assert.equal(
    decode(frame(`${ethernet} 45000038 00004000 402f0000 c612010b c612000a`)),
    "IP protocol 47 from 198.18.1.11 to 198.18.0.10",
  );
});

test("an ICMP message about a long datagram has the same mark whether the capture has the whole message or only its head", () => {
  const long = Buffer.from(
    `${ethernet} 45c0 0240 0001 0000 4001 0000 c612000a c612010b 0303 0000 00000000
    4500 0500 1234 4000 3f11 0000 c612010b c612000a 1151 9c40 04ec 0000`.replace(/\s/g, ""),
    "hex",
  );
  const marks = ["aa", "bb"].map((content) => {
    const whole = Buffer.concat([long, Buffer.alloc(540, content, "hex")]);
    return [whole, whole.subarray(0, headsOnly.frameBytes)].map((head) => {
      const packet = decode({ timeMs: 5, bytes: whole.length, head });
      assert.ok(typeof packet !== "string" && packet.transport === "icmp");
      return packet.mark;
    });
  });
  assert.deepEqual([marks[0]![0], marks[1]![0]], [marks[0]![1], marks[1]![1]]);
  assert.notEqual(marks[0]![0], marks[1]![0]);
});

test("a UDP datagram is decoded, with a mark that ignores its checksum; an ICMP port unreachable has the datagram's source and destination", () => {
  const ip = "4500 0020 1234 4000 3f11 0000 c612010b c612000a";
  const udp = "1151 9c40 000c 0000 40aabbcc";
  const datagram = decode(frame(`${ethernet} ${ip} ${udp} 000000000000`));
  assert.ok(typeof datagram !== "string" && datagram.transport === "udp");
  assert.deepEqual(
    [datagram.source, datagram.destination, datagram.payloadBytes, datagram.payload.toString("hex")],
    ["198.18.1.11:4433", "198.18.0.10:40000", 4, "40aabbcc"],
  );
  const filled = decode(frame(`${ethernet} ${ip} 1151 9c40 000c beef 40aabbcc`));
  const other = decode(frame(`${ethernet} ${ip} 1151 9c40 000c 0000 40aabbcd`));
  assert.ok(typeof filled !== "string" && typeof other !== "string");
  assert.equal(filled.mark, datagram.mark, "a device may fill in the checksum after the capture");
  assert.notEqual(other.mark, datagram.mark);
  const word = decode(
    frame(`${ethernet} 45c0 003c 0001 0000 4001 0000 c612000a c612010b 0303 0000 00000000 ${ip} ${udp}`),
  );
  assert.ok(typeof word !== "string" && word.transport === "icmp");
  assert.deepEqual(word.about, { source: "198.18.1.11:4433", destination: "198.18.0.10:40000" });
});

test("two datagrams with the same CRC-32 have different marks", () => {
  const payloads = ["40aabbccddeeff00", "01acca17dceeff00"];
  const [one, other] = payloads.map((hex) => crc32(Buffer.from(hex, "hex")));
  assert.equal(one, other, "they differ by the generator polynomial");
  const marks = payloads.map((payload) => {
    const packet = decode(
      frame(`${ethernet} 4500 0024 1234 4000 3f11 0000 c612010b c612000a 1151 9c40 0010 0000 ${payload}`),
    );
    assert.ok(typeof packet !== "string" && packet.transport === "udp");
    return packet.mark;
  });
  assert.ok(marks.every(Number.isSafeInteger));
  assert.notEqual(marks[0], marks[1]);
});
