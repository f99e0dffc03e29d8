import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../schema/evidence.ts";
import { conditions, registries } from "../tables/synthetic-loads.fixture.ts";
import { floorOf, slowStartRounds } from "./floor.ts";

const evidence = { connections: [], packets: { flows: [] } } as unknown as Evidence;
const segmentBytes = 1448;
/** Computes the floor (the shortest page load time) over a link of 10/1 Mb/s and 100 ms, with one server and an initial window of 3 segments. */
function floor(requests: number, segments: number, alpn: string, connections: number) {
  const [condition] = conditions({ link: ["10x1-100ms-0%"], protocol: ["h1"] });
  const page = { requests, bodyBytes: segments * segmentBytes, objects: {} };
  const protocol = { ...registries.protocols.h1!, alpn, connections };
  return floorOf(condition!, { ...registries, pages: { A: page }, protocols: { h1: protocol } }, evidence)!;
}

test("each flight doubles the previous one, so 3 + 6 + 12 segments take three flights", () =>
  assert.deepEqual(
    [1, 3, 4, 9, 10, 21, 22].map((segments) => slowStartRounds(segments, 3)),
    [1, 1, 2, 2, 3, 3, 4],
  ));

test("the floor of one small file is two round trips for handshakes, one for the response, and the file's transmission", () =>
  assert.deepEqual(floor(1, 1, "h2", 1), { connectionMs: 200, roundTripsMs: 100, rateMs: 1.2112, ms: 301.2112 }));

test("the floor's round trips follow from slow start over one HTTP/2 connection, and from the number of requests over six HTTP/1.1 connections", () => {
  assert.equal(floor(13, 21, "h2", 1).roundTripsMs, 300);
  assert.equal(floor(13, 21, "http/1.1", 6).roundTripsMs, 100 + 2 * 100);
  assert.equal(floor(101, 21, "http/1.1", 6).roundTripsMs, 100 + 17 * 100);
});

test("for a page of many bytes, the link's rate sets the floor", () => {
  const { rateMs, ms } = floor(2, 1000, "http/1.1", 600);
  assert.equal(Math.round(rateMs), 1211);
  assert.equal(ms, 200 + 100 + rateMs);
});
