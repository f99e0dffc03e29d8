import assert from "node:assert/strict";
import { test } from "node:test";
import { isOfBackground, settledMs } from "./background.ts";

const link = { downMbps: 10, upMbps: 1, rttMs: 100, lossPercent: 0, queuePackets: 50 };

test("settledMs is three times the longest RTT, with jitter and full queues, and at least 1,000 ms", () => {
  assert.equal(settledMs(link, { down: 1, up: 0 }), 1000); // 3 * (100 + 61) ms is less
  assert.equal(settledMs(link, { down: 0, up: 1 }), 2117); // 3 * (100 + 50 * 12.112) ms
  assert.equal(settledMs({ ...link, queuePackets: 1000 }, { down: 4, up: 0 }), 3934);
  assert.equal(settledMs({ ...link, queuePackets: 10_000, aqm: "dualpi2" }, { down: 1, up: 0 }), 3300);
  assert.equal(settledMs({ ...link, jitterMs: 500 }, { down: 1, up: 0 }), 3482);
});

test("a packet in either direction is background traffic if the server's port is a background port", () => {
  const [client, down, page] = ["198.18.0.10:40123", "198.18.1.11:5210", "198.18.1.11:4432"];
  assert.ok(isOfBackground({ source: client, destination: down }));
  assert.ok(isOfBackground({ source: "198.18.1.11:5211", destination: client }));
  assert.ok(isOfBackground({ source: "198.18.1.11:5212", destination: client }));
  assert.ok(!isOfBackground({ source: page, destination: client }));
  assert.ok(!isOfBackground({ source: client, destination: "198.18.1.11:52100" }));
});
