import assert from "node:assert/strict";
import { test } from "node:test";
import { frameColumnsOf, frameRows, pieceColumnsOf, pieceRows } from "./stream-trace.ts";

test("parts of frames keep their positions when they are stored as differences", () => {
  const rows = [
    { stream: 1, at: 27, bytes: 109 },
    { stream: 3, at: 136, bytes: 1000 },
    { stream: 1, at: 1158, bytes: 9 },
  ];
  const columns = frameColumnsOf(rows);
  assert.deepEqual(columns.at, [27, 0, 22]);
  assert.deepEqual(frameRows(columns), rows);
});

test("pieces of streams keep their positions when they are stored as differences; a retransmission's difference is negative", () => {
  const rows = [
    { datagram: 4, stream: 0, offset: 0, bytes: 1000, fin: false },
    { datagram: 4, stream: 4, offset: 0, bytes: 200, fin: false },
    { datagram: 5, stream: 0, offset: 1000, bytes: 1200, fin: true },
    { datagram: 9, stream: 0, offset: 0, bytes: 1000, fin: false },
  ];
  const columns = pieceColumnsOf(rows);
  assert.deepEqual(columns.offset, [0, 0, 0, -2200]);
  assert.deepEqual(pieceRows(columns), rows);
});
