import assert from "node:assert/strict";
import { test } from "node:test";
import { decode } from "./packet.ts";

const frame = (hex: string) => ({ timeMs: 5, bytes: 999, head: Buffer.from(hex.replace(/\s/g, ""), "hex") });
const ethernet = "0242c612000a 0242c6120002 0800";

test("a TCP segment is read to its payload; Ethernet's padding is none", () => {
  const packet = decode(
    frame(`${ethernet} 45000038 00004000 40060000 c612010b c612000a
    1150 9c40 00000010 00000020 9018 0100 0000 0000 0101 050a 00000001 00000002 0000 00000000 000000000000`),
  );
  assert.ok(typeof packet !== "string");
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

test("what is no TCP is named", () => {
  assert.equal(decode(frame(`0242c612000a 0242c6120002 86dd`)), "EtherType 0x86dd");
  assert.equal(
    decode(frame(`${ethernet} 45000038 00004000 40110000 c612010b c612000a`)),
    "IP protocol 17 from 198.18.1.11 to 198.18.0.10",
  );
});
