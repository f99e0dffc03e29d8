import assert from "node:assert/strict";
import { test } from "node:test";
import { framePartsOf, frameTypes, isHttp2 } from "./http2-frames.ts";

const { headers, data } = frameTypes;

function frame(type: number, stream: number, bytes: number): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(bytes, 0, 3);
  header[3] = type;
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, Buffer.alloc(bytes, 0xff)]);
}

test("HTTP/2 frames are found regardless of where TLS records split them", () => {
  const sent = Buffer.concat([frame(4, 0, 18), frame(headers, 1, 100), frame(data, 1, 300), frame(data, 3, 0)]);
  for (const size of [1, 5, 8, 9, 28, 100, 1000]) {
    const runs = Array.from({ length: Math.ceil(sent.length / size) }, (_, i) => ({
      at: 1000 + i * (size + 22), // each record has a header and a tag
      content: sent.subarray(i * size, (i + 1) * size),
    }));
    const parts = framePartsOf(runs, false);
    const bytes = (stream: number) => parts.reduce((sum, part) => sum + (part.stream === stream ? part.bytes : 0), 0);
    assert.deepEqual([0, 1, 3].map(bytes), [27, 109 + 309, 9], `records of ${size} bytes`);
    assert.equal(parts[0]!.at, 1000);
    const last = parts.at(-1)!;
    assert.equal(last.at + last.bytes, runs.at(-1)!.at + runs.at(-1)!.content.length);
  }
});

test("a client's HTTP/2 frames are found after the connection preface", () => {
  const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  const runs = [
    { at: 500, content: preface },
    { at: 546, content: frame(headers, 1, 40) },
  ];
  assert.ok(isHttp2(runs));
  assert.deepEqual(framePartsOf(runs, true), [{ type: headers, stream: 1, at: 546, bytes: 49 }]);
  assert.ok(!isHttp2([{ at: 500, content: Buffer.from("GET / HTTP/1.1\r\n\r\n") }]));
  assert.ok(!isHttp2([]));
});
