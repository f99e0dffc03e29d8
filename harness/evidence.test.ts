import assert from "node:assert/strict";
import { test } from "node:test";
import { contradictions } from "./evidence.ts";
import type { Evidence } from "./model.ts";

const expected = { requests: 11, hosts: ["s1.lab", "s2.lab"], alpn: "h2", bodyBytes: 3000, connectionsPerHost: 1, floorMs: 500 };
const good: Evidence = {
  requests: 11, failed: 0, fromCache: 0, protocols: { h2: 11 }, connections: { "s1.lab": 1, "s2.lab": 1 }, receivedBytes: 3500, timing: {},
};

test("a load that is a sample of its condition contradicts nothing", () => assert.deepEqual(contradictions(800, good, expected), []));

const wrong: Record<string, [Partial<Evidence>, RegExp]> = {
  "a server that answers HTTP/1.1 when asked for HTTP/2": [{ protocols: { "http/1.1": 11 } }, /protocols \{"http\/1.1":11\} instead of/],
  "one connection too many": [{ connections: { "s1.lab": 2, "s2.lab": 1 } }, /2 connections to s1\.lab; 1 expected/],
  "hosts that share a connection": [{ connections: { "s1.lab": 1 } }, /hosts s1\.lab instead of s1\.lab, s2\.lab/],
  "a response from a cache": [{ fromCache: 1 }, /1 responses from a cache/],
  "a request that failed": [{ failed: 1 }, /1 requests failed/],
  "a request nobody asked for": [{ requests: 12 }, /12 requests instead of 11/],
  "bytes that never came": [{ receivedBytes: 100 }, /100 bytes received; the page has 3000/],
};
for (const [what, [change, message]] of Object.entries(wrong))
  test(`is named: ${what}`, () => assert.match(contradictions(800, { ...good, ...change }, expected).join(), message));

test("is named: a time no network can do", () => assert.match(contradictions(499, good, expected).join(), /499 ms is less than physics allows: 500 ms/));
