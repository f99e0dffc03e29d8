import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { readChannels } from "./channels.ts";

test("the eight channels of the paper, section 5.3.2.2", () => {
  const channels = [...readChannels().values()];
  assert.equal(channels.length, 8);
  for (const { name, downMbps, upMbps, rttMs, lossPercent, queuePackets } of channels) {
    assert.equal(name, `${downMbps}x${upMbps}-${rttMs}ms-${lossPercent}%`);
    assert.equal(queuePackets, 50);
  }
});

const wrong: Record<string, RegExp> = {
  "x: {down: 10, up: 1 Mb/s, rtt: 20 ms, loss: 0 %, queue: 50 packets}": /x\.down: "10" is not a value like/,
  "x: {down: 10 Mb/s, up: 1 Mb/s, rtt: -20 ms, loss: 0 %, queue: 50 packets}": /x\.rtt: "-20 ms" is out of range/,
  "x: {down: 10 Mb/s, up: 1 Mb/s, rtt: 20 ms, loss: 0 %, queue: 50 packets, jitter: 1 ms}":
    /Unrecognized key: "jitter"/,
  "x: {down: 10 Mb/s, up: 1 Mb/s, rtt: 20 ms, loss: 0 %}": /x\.queue/,
  "x: {down: 10 Mb/s, down: 10 Mb/s}": /unique/,
  "x y: {}": /x y: Invalid key in record/,
  "x: [": /at line/,
};
for (const [yaml, message] of Object.entries(wrong))
  test(`refuses ${yaml}`, () => {
    const folder = mkdtempSync("/tmp/channels-test-");
    try {
      writeFileSync(`${folder}/channels.yml`, yaml);
      assert.throws(() => readChannels(`${folder}/channels.yml`), message);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
