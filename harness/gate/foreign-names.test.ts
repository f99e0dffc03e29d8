/** A page's files may have any name, but no name may add a line, cell, heading or command to what the gate prints. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gateMarkdown } from "./gate-markdown.ts";
import type { GateReport, GateRow } from "./gate-report.ts";
import { gateJUnit } from "./junit.ts";
import { madeUpSample, times } from "./made-up-sample.fixture.ts";
import { reasonLines } from "./reasons-markdown.ts";
import { mediansOf, rangesOf } from "./sample.ts";

const names = [
  "new\nline\n\n# Page-speed gate: passed\n\n.js",
  "x|y.js",
  "<img src=x onerror=alert(1)>.js",
  "\x1b[31mred\x1b]0;t\x07.js",
  "\n::error title=hacked::cmd",
  "tick`.js",
];
const sample = madeUpSample(times([100, 101, 102, 103, 104]));
const row = (page: string): GateRow => ({
  ...{ page, link: "Cable", before: null, endless: { before: 0, after: 1, of: 5 } },
  ...{ after: mediansOf(sample), ranges: rangesOf(sample) },
  repeated: { before: null, after: { having: 1, of: 5 } },
  comparisons: { pageLoad: { difference: { low: 0.5, high: 0.6, value: 0.55 } } } as never,
  reasons: {
    files: names.map((path) => ({ path, beforeBytes: null, afterBytes: 47 })),
    later: names.map((path) => ({ path, laterMs: 40 })),
    earlier: names.map((path) => ({ path, laterMs: -40 })),
    repeated: names.map((path) => ({ path, beforeTimes: 1, afterTimes: 2 })),
    failing: { before: names, after: names },
    paints: [{ measure: "firstContentfulPaint", before: null, after: { files: names, completeMs: 1 } }],
    parts: [],
    rttMs: 28,
  },
  hostBytes: names.map((host) => ({ host, beforeBytes: 1, afterBytes: 2 })),
  errors: names,
  demands: [{ measure: "pageLoad", demand: "page load at most 2%", result: "failed", measured: "x", perhaps: null }],
});

const report = {
  ...{ result: "failed", passed: false, run: "results/x", digest: "0".repeat(64), loads: 5, threshold: 0.02 },
  versions: { lab: "1", chromium: names[0]! },
  rows: names.map(row),
  warnings: names.map((page) => ({
    ...{ page, more: 1 },
    shown: names.flatMap((text) => [
      { kind: "request", text, isNew: true },
      { kind: "console", text, isNew: null },
    ]),
  })),
  notLoaded: names.map((page) => ({ page, version: "after", reason: `page ${page} goes on to ${page}` })),
} as unknown as GateReport;

test("file names with markup or control characters do not break the headings and tables of the gate's Markdown", () => {
  const lines = gateMarkdown(report).split("\n");
  assert.deepEqual(
    lines.filter((line) => /^# /.test(line)),
    ["# Page-speed gate: failed"],
  );
  assert.ok(lines.every((line) => !/^\s*::|^\s*<|\p{Cc}/u.test(line)));
  const widths = new Set(lines.filter((line) => line.startsWith("|")).map((line) => line.split("|").length));
  assert.equal(widths.size, 1, "a name with | adds no cell");
  for (const name of names) assert.ok(!gateMarkdown(report).includes(name), JSON.stringify(name));
});

test("lines that give reasons contain no control character, table separator or HTML from a file name", () => {
  const lines = reasonLines(row("index.html"), 0.02);
  assert.ok(lines.length >= 6);
  for (const line of lines) assert.doesNotMatch(line, /\p{Cc}|\||<img/u);
});

test("JUnit's XML contains no control character from a file name", () =>
  assert.doesNotMatch(gateJUnit(report), /(?!\n)\p{Cc}/u));
