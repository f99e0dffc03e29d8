import assert from "node:assert/strict";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fullFrameBytes } from "../schema/link.ts";
import { readForeignTrace } from "./foreign-trace.ts";

function read(text: string): ReturnType<typeof readForeignTrace> {
  const folder = mkdtempSync("/tmp/trace-test-");
  try {
    writeFileSync(`${folder}/t`, text);
    return readForeignTrace(`${folder}/t`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("in a mahimahi trace, each opportunity is a full packet, rates are means over at most 100 ms, and the last opportunity ends the trace", () => {
  // Two packets within the first 100 ms and one at their end, none in the next 100 ms, one in the last 50 ms.
  const mbps = (packets: number, ms: number) => Math.round((packets * fullFrameBytes * 1e6) / (125 * ms)) / 1e6;
  assert.deepEqual(read("20\n50\n100\n250\n"), {
    format: "mahimahi",
    steps: [
      [100, mbps(3, 100)],
      [100, 0],
      [50, mbps(1, 50)],
    ],
  });
});

test("the rates of a CSV row apply until the next row, and consecutive rows with equal rates become one step", () =>
  assert.deepEqual(read("seconds,down_mbps,up_mbps\n0,5,1\n1.5,2,1\n2.5,8,2\r\n"), {
    format: "csv",
    down: [
      [1500, 5],
      [1000, 2],
      [1000, 8],
    ],
    up: [
      [2500, 1],
      [1000, 2],
    ],
  }));

const heading = "seconds,down_mbps,up_mbps\n";
const wrong: Record<string, [text: string, message: RegExp]> = {
  "a file without bytes": ["", /it is empty; mahimahi's format has/],
  "a trace of zero bytes": [`${heading}0,0,1\n1,0,1\n`, /down: the trace carries no bytes/],
  "a minute at rate 0": [`${heading}0,5,1\n1,0,1\n61,5,1\n62,6,1\n`, /carries nothing for 60 s; less than 60 s/],
  "a minute without an opportunity to send a packet": ["1\n61000\n", /carries nothing for 61 s; less than 60 s/],
  "a minute at rate 0 across the end of the trace": [
    `${heading}0,0,1\n30,5,1\n31,0,1\n61,0,1\n`,
    /carries nothing for 90 s/,
  ],
  "times that go back": [`${heading}0,5,1\n2,3,1\n1,5,1\n`, /line 4 is at 1 s, and the line before it at 2 s/],
  "two rows with the same time": [`${heading}0,5,1\n2,3,1\n2,5,1\n`, /at 2 s: each row must have a later time/],
  "opportunities whose times go back": [
    "1\n5\n4\n",
    /line 3 is at 4 ms, and the line before it at 5 ms: times must not go back/,
  ],
  "another column order": [
    "seconds,up_mbps,down_mbps\n0,1,5\n",
    /its columns are seconds,up_mbps,down_mbps, but must be seconds,down_mbps,up_mbps/,
  ],
  "other units": [
    "ms,down_kbps,up_kbps\n0,1,5\n",
    /must be seconds,down_mbps,up_mbps, in this order and in these units/,
  ],
  "a cell that is not a number": [`${heading}0,5,1\n1,x,1\n`, /line 3 is "1,x,1"; it must have 3 numbers/],
  "a rate that cannot be emulated": [
    `${heading}0,5,1\n1,5000,1\n`,
    /down: "5000" is out of range; 0.01 to 1000 is allowed/,
  ],
  "a single row": [`${heading}0,5,1\n`, /it has 1 row; at least two rows are needed/],
  "a trace of an hour": [`${heading}0,5,1\n1800,4,1\n`, /it is 3600 s long; at most 600 s are allowed/],
  "a file in another format": ["hello\n", /line 1 is "hello"; mahimahi's format has/],
  "opportunities only at 0 ms": ["0\n0\n", /its last line is 0 ms/],
};
for (const [what, [text, message]] of Object.entries(wrong))
  test(`a trace is refused: ${what}`, () => assert.throws(() => read(text), { message, name: "LabError" }));

test("a file of 100 MB is refused without being read", () => {
  const folder = mkdtempSync("/tmp/trace-test-");
  writeFileSync(`${folder}/t`, "1\n");
  truncateSync(`${folder}/t`, 100e6);
  try {
    assert.throws(() => readForeignTrace(`${folder}/t`), /it has 100 MB; at most 16 MB are allowed/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
