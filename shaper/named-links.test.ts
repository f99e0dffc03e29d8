import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { linkName } from "../schema/link.ts";
import { linksIn, readLinks } from "./named-links.ts";

test("links.yml has the eight links of draft-white-httpbis-spdy-analysis-00, section 5.3.2.2", () => {
  const links = Object.entries(readLinks()).filter(([name]) => /^[12]0x/.test(name));
  assert.equal(links.length, 8);
  for (const [name, link] of links) {
    assert.equal(name, linkName(link));
    assert.equal(link.queuePackets, 50);
  }
});

const inFile = <T>(yaml: string, then: (path: string) => T): T => {
  const folder = mkdtempSync("/tmp/links-test-");
  try {
    writeFileSync(`${folder}/links.yml`, yaml);
    return then(`${folder}/links.yml`);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

test("a link's queue is a number of packets or bytes: one for both directions, or one for each direction", () => {
  const queueOf = (queue: string) => {
    const {
      downMbps: _,
      upMbps: __,
      rttMs: ___,
      lossPercent: ____,
      ...rest
    } = inFile(`x: {down: 10 Mb/s, up: 1 Mb/s, rtt: 20 ms, loss: 0 %, queue: ${queue}}`, (path) => linksIn(path).x!);
    return rest;
  };
  assert.deepEqual(queueOf("100"), { queuePackets: 100 });
  assert.deepEqual(queueOf("64 KB"), { queuePackets: 42, queueBytes: 64_000 });
  assert.deepEqual(queueOf("{down: 256 packets, up: 64 KiB}"), {
    ...{ queuePackets: 256, upQueue: { queuePackets: 43, queueBytes: 65_536 } },
  });
});

test("a link's name includes its queues, unless they are the default", () => {
  const link = { downMbps: 25, upMbps: 3, rttMs: 20, lossPercent: 0, queuePackets: 50 };
  assert.equal(linkName(link), "25x3-20ms-0%");
  assert.equal(linkName({ ...link, queuePackets: 42, queueBytes: 64_000 }), "25x3-20ms-0%-q64000B");
  assert.equal(linkName({ ...link, upQueue: { queuePackets: 256 } }), "25x3-20ms-0%-qup256");
});

const wrong: Record<string, RegExp> = {
  "x: {down: 10, up: 1 Mb/s, rtt: 20 ms, loss: 0 %, queue: 50 packets}": /x\.down: "10" is not a value like/,
  "x: {down: 10 Mb/s, up: 1 Mb/s, rtt: -20 ms, loss: 0 %, queue: 50 packets}": /x\.rtt: "-20 ms" is out of range/,
  "x: {down: 10 Mb/s, up: 1 Mb/s, rtt: 20 ms, loss: 0 %, queue: 50 packets, jitter: 1 ms}":
    /Unrecognized key: "jitter"/,
  "x: {down: 10 Mb/s, up: 1 Mb/s, rtt: 20 ms, loss: 0 %, queue: {down: 5, up: 1 KB}}":
    /x\.queue\.up: "1 KB" is out of range/,
  "x: {down: 10 Mb/s, up: 1 Mb/s, rtt: 20 ms, loss: 0 %, queue: 5.5}": /x\.queue: "5\.5" is not a whole number of/,
  "x: {down: 10 Mb/s, up: 1 Mb/s, rtt: 20 ms, loss: 0 %}": /x\.queue/,
  "x: {down: 10 Mb/s, down: 10 Mb/s}": /unique/,
  "x y: {}": /x y: Invalid key in record/,
  "x: [": /at line/,
};
for (const [yaml, message] of Object.entries(wrong))
  test(`refuses ${yaml}`, () => inFile(yaml, (path) => assert.throws(() => linksIn(path), message)));
