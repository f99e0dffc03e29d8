/** A recorded gate: a small page over Cable, before and after a script in front of its text loads another one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMParser } from "linkedom";
import { readRun } from "../../record/records.ts";
import { budgetsOf } from "./budgets.ts";
import { gateReport } from "./gate-report.ts";
import { failedLines, gateJUnit, gateMarkdown } from "./render.ts";

const run = readRun("test/recorded-gate");
const reportOf = (threshold: number, budget?: string) =>
  gateReport(run, { threshold, budgets: budget ? budgetsOf(budget, ["Cable"]) : [] });
const report = reportOf(0.02, "requests=5,bytes=62kB");
const [row] = report.rows;

test("what is certainly slower by more than the threshold fails; what may be chance does not", () => {
  const { pageLoad, firstContentfulPaint } = row!.differences;
  assert.ok(pageLoad!.low < 0 && pageLoad!.high > 0.02, "page load may be as before");
  assert.ok(firstContentfulPaint!.low > 0.5, "the first paint waits for two more files");
  assert.deepEqual(failedLines(report), [
    "index.html over Cable: first contentful paint at most 12.9% longer than before, but it is +68.3% (+57.9% to +79.4%)",
    "index.html over Cable: largest contentful paint at most 12.9% longer than before, but it is +68.3% (+57.9% to +79.4%)",
    "index.html over Cable: requests at most 5, but it is 6",
  ]);
  assert.equal(report.passed, false);
  assert.deepEqual(failedLines(reportOf(0.6)), []);
  assert.equal(reportOf(0.6).passed, true);
});

test("a budget of another link demands nothing here", () => {
  const budgets = budgetsOf("4G: requests=1", ["Cable", "4G"]);
  assert.equal(gateReport(run, { threshold: 0.6, budgets }).passed, true);
});

test("the reasons are files, requests and parts of the time", () => {
  const { files, parts, later, rttMs } = row!.reasons!;
  assert.deepEqual(files, [
    { path: "index.html", beforeBytes: 302, afterBytes: 387 },
    { path: "loader.js", beforeBytes: null, afterBytes: 56 },
    { path: "extra.js", beforeBytes: null, afterBytes: 25 },
  ]);
  assert.equal(rttMs, 28);
  assert.deepEqual(later, []); // the browser finds the pictures before it runs the script
  const addedMs = parts.reduce((sum, part) => sum + part.addedMs, 0);
  assert.ok(Math.abs(addedMs - (row!.after.pageLoad! - row!.before!.pageLoad!)) < 10, `the parts add ${addedMs} ms`);
});

test("the summary has each link's measures, what failed and why, and what the numbers belong to", () => {
  const markdown = gateMarkdown(report);
  for (const text of [
    /^# Page-speed gate: failed$/m,
    /^\| index.html \| Cable \| first contentful paint +\| +160 ms \| +272 ms \| \+68\.3% .* \*\*failed\*\* \|$/m,
    /^- index.html over Cable: requests at most 5, but it is 6$/m,
    /^## index.html over Cable: where the difference comes from$/m,
    /^- requested now: loader\.js \(56 B\), extra\.js \(25 B\)$/m,
    /^By lab .*, chromium HeadlessChrome\/[\d.]+, guestRoot \w+, kernelImage \w+; digest \w{12}\./m,
  ])
    assert.match(markdown, text);
  assert.match(gateMarkdown(reportOf(0.6)), /^# Page-speed gate: passed$/m);
});

test("JUnit's XML has a suite for each link and a case for each demand", () => {
  const xml = new DOMParser().parseFromString(gateJUnit(report), "text/xml");
  const suite = xml.querySelector("testsuites > testsuite")!;
  assert.deepEqual(
    ["name", "tests", "failures"].map((name) => suite.getAttribute(name)),
    ["index.html over Cable", "5", "3"],
  );
  const failed = xml.querySelectorAll("testcase > failure");
  assert.equal(failed.length, 3);
  assert.equal(failed[2]!.parentElement!.getAttribute("name"), "requests at most 5");
  assert.equal(failed[2]!.getAttribute("message"), "it is 6");
});
