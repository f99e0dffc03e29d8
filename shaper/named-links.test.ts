import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { linkName } from "../schema/link.ts";
import { readLinks } from "./named-links.ts";

test("the eight links of the paper's section 5.3.2.2 are there", () => {
  const links = Object.entries(readLinks()).filter(([name]) => /^[12]0x/.test(name));
  assert.equal(links.length, 8);
  for (const [name, link] of links) {
    assert.equal(name, linkName(link));
    assert.equal(link.queuePackets, 50);
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
    const folder = mkdtempSync("/tmp/links-test-");
    try {
      writeFileSync(`${folder}/links.yml`, yaml);
      assert.throws(() => readLinks(`${folder}/links.yml`), message);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
