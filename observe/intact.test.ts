import assert from "node:assert/strict";
import { test } from "node:test";
import { isDamaged } from "./intact.ts";

const own = { mac: "0242c612000a", address: "198.18.0.10" };

/** Computes the Internet checksum (RFC 1071), with which all words add up to 0xffff. */
function checksumOf(bytes: Buffer): number {
  const even = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)]);
  let sum = 0;
  for (let i = 0; i < even.length; i += 2) sum += even.readUInt16BE(i);
  return 0xffff - (sum % 0xffff);
}

const kinds = {
  tcp: { protocol: 6, header: "11509c40000000100000002050180100 0000 0000", checksumAt: 16 },
  udp: { protocol: 17, header: "11519c40 000d 0000", checksumAt: 6 },
  icmp: { protocol: 1, header: "0303 0000 00000000", checksumAt: 2 },
};
type Kind = keyof typeof kinds;

/** A frame with correct checksums and five bytes of payload. */
function frameOf(kind: Kind): Buffer {
  const { protocol, header, checksumAt } = kinds[kind];
  const segment = Buffer.from(`${header.replaceAll(" ", "")}0102030405`, "hex");
  const ip = Buffer.from("4500000012344000400000 00c612010bc612000a".replaceAll(" ", "").padEnd(40, "0"), "hex");
  ip.writeUInt16BE(ip.length + segment.length, 2);
  ip.writeUInt8(protocol, 9);
  ip.writeUInt16BE(0, 10);
  ip.writeUInt16BE(checksumOf(ip), 10);
  const pseudo = Buffer.alloc(12);
  ip.copy(pseudo, 0, 12, 20);
  pseudo.writeUInt16BE(protocol, 8);
  pseudo.writeUInt16BE(segment.length, 10);
  segment.writeUInt16BE(checksumOf(kind === "icmp" ? segment : Buffer.concat([pseudo, segment])), checksumAt);
  return Buffer.concat([Buffer.from(`${own.mac}0242c61200020800`, "hex"), ip, segment]);
}

for (const kind of Object.keys(kinds) as Kind[])
  test(`a ${kind} frame is intact with or without Ethernet's padding, and damaged if any bit outside the sender's MAC address is wrong`, () => {
    const frame = frameOf(kind);
    assert.ok(!isDamaged(frame, own));
    assert.ok(!isDamaged(Buffer.concat([frame, Buffer.from([7, 8, 9])]), own));
    for (let bit = 0; bit < 8 * frame.length; bit++) {
      const damaged = Buffer.from(frame);
      damaged.writeUInt8(damaged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const isSender = bit >= 8 * 6 && bit < 8 * 12;
      assert.equal(isDamaged(damaged, own), !isSender, `bit ${bit}`);
    }
  });

test("a UDP datagram without a checksum counts as intact", () => {
  const frame = frameOf("udp");
  frame.writeUInt16BE(0, 14 + 20 + 6);
  assert.ok(!isDamaged(frame, own));
});

test("isDamaged is false for packets to another host, which a bridge sends to all hosts, and for packets that this host sent", () => {
  const frame = frameOf("tcp");
  assert.ok(!isDamaged(frame, { mac: "0242c612000b", address: "198.18.0.11" }));
  assert.ok(!isDamaged(Buffer.concat([frame.subarray(0, 40), Buffer.alloc(40)]), { ...own, mac: "0242c6120002" }));
});

test("a frame that is not IPv4 counts as damaged", () => {
  const frame = frameOf("tcp");
  frame.writeUInt16BE(0x86dd, 12);
  assert.ok(isDamaged(frame, own));
});
