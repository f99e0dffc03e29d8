import assert from "node:assert/strict";
import { test } from "node:test";
import { pcapng } from "./pcapng.ts";

/** Splits a file as readers do: each block has its length before and after its content. */
function blocksOf(file: Buffer): { type: number; body: Buffer }[] {
  const blocks = [];
  for (let at = 0; at < file.length; ) {
    const length = file.readUInt32LE(at + 4);
    assert.equal(length % 4, 0);
    assert.equal(file.readUInt32LE(at + length - 4), length);
    blocks.push({ type: file.readUInt32LE(at), body: file.subarray(at + 8, at + length - 4) });
    at += length;
  }
  return blocks;
}

const timeMs = Date.UTC(2026, 0, 2) + 0.25;
const frame = { timeMs, bytes: 1500, head: Buffer.from([1, 2, 3, 4, 5]) };

test("a pcapng file has the TLS keys first, then frames with timestamps and lengths", () => {
  const [section, device, secrets, packet, ...more] = blocksOf(pcapng([frame], "CLIENT_RANDOM 1 2\n"));
  assert.equal(more.length, 0);
  assert.deepEqual([section!.type, section!.body.readUInt32LE(0)], [0x0a0d0d0a, 0x1a2b3c4d]);
  assert.deepEqual([device!.type, device!.body.readUInt16LE(0)], [1, 1]);
  assert.deepEqual([secrets!.type, secrets!.body.subarray(0, 4).toString()], [10, "KSLT"]);
  assert.equal(secrets!.body.subarray(8, 8 + secrets!.body.readUInt32LE(4)).toString(), "CLIENT_RANDOM 1 2\n");
  const [, high, low, kept, whole] = Array.from({ length: 5 }, (_, i) => packet!.body.readUInt32LE(4 * i));
  assert.equal((high! * 2 ** 32 + low!) / 1000, timeMs);
  assert.deepEqual([packet!.type, kept, whole], [6, 5, 1500]);
  assert.deepEqual(packet!.body.subarray(20, 25), frame.head);
});

test("a pcapng file without TLS keys has no block for keys", () =>
  assert.deepEqual(
    blocksOf(pcapng([frame], "")).map(({ type }) => type),
    [0x0a0d0d0a, 1, 6],
  ));
