/** A recorded gate of a small page over Cable. In the later version, a script before the page's text loads another script. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMParser } from "linkedom";
import { readRun } from "../record/records.ts";
import { budgetsOf } from "./budgets.ts";
import { gateJson, gateMarkdown, linesOf } from "./gate-markdown.ts";
import { gateReport, notLoadedIn } from "./gate-report.ts";
import { gateJUnit } from "./junit.ts";

const run = readRun("test/recorded-gate");
const reportOf = (threshold: number, budget?: string) =>
  gateReport(run, { threshold, budgets: budget ? budgetsOf(budget, ["Cable"]) : [] });
const report = reportOf(0.02, "requests=5,bytes=62kB");
const [row] = report.rows;

test("a measure fails if its whole interval is above the threshold, and not if the interval contains the threshold", () => {
  const { pageLoad, firstContentfulPaint } = row!.comparisons;
  const { low, high } = pageLoad!.difference!;
  assert.ok(low < 0 && high > 0.02, "page load may be as before");
  assert.ok(firstContentfulPaint!.difference!.low > 0.5, "the first paint waits for two more files");
  assert.deepEqual(linesOf(report, "failed"), [
    "index.html over Cable: first contentful paint at most 12.9% longer than before, but it is +68.3% (+57.9% to +79.4%)",
    "index.html over Cable: largest contentful paint at most 12.9% longer than before, but it is +68.3% (+57.9% to +79.4%)",
    "index.html over Cable: requests at most 5, but it is 6",
  ]);
  assert.equal(report.passed, false);
  assert.deepEqual(linesOf(reportOf(0.6), "failed"), []);
  assert.equal(reportOf(0.6).passed, true);
});

test("a budget for another link does not apply", () => {
  const budgets = budgetsOf("4G: requests=1", ["Cable", "4G"]);
  assert.equal(gateReport(run, { threshold: 0.6, budgets }).passed, true);
});

test("the reasons for a difference are changed files, later requests (here none), and how much each part adds to the page load time", () => {
  const { files, parts, later, rttMs } = row!.reasons!;
  assert.deepEqual(files, [
    { path: "index.html", beforeBytes: 302, afterBytes: 387 },
    { path: "loader.js", beforeBytes: null, afterBytes: 56 },
    { path: "extra.js", beforeBytes: null, afterBytes: 25 },
  ]);
  assert.equal(rttMs, 28);
  assert.deepEqual(later, []); // the browser finds the pictures before it runs the script
  const addedMs = parts.reduce((sum, part) => sum + part.addedMs, 0);
  assert.ok(
    Math.abs(addedMs - (row!.after.pageLoad!.atLeast - row!.before!.pageLoad!.atLeast)) < 10,
    `the parts add ${addedMs} ms`,
  );
});

test("the Markdown has each link's measures, the failed demands and their reasons, and the versions of the lab and of Chromium", () => {
  const markdown = gateMarkdown(report);
  for (const text of [
    /^# Page-speed gate: failed$/m,
    /^\| index.html \| Cable \| first contentful paint +\| +160 ms \| +272 ms \| \+68\.3% .* \*\*failed\*\* \|$/m,
    /^- index.html over Cable: requests at most 5, but it is 6$/m,
    /^## index.html over Cable: where the difference comes from$/m,
    /^- requested now: loader\.js \(56 B\), extra\.js \(25 B\)$/m,
    /^Measured with lab .*, chromium HeadlessChrome\/[\d.]+, guestRoot \w+, kernelImage \w+; digest \w{12}\./m,
  ])
    assert.match(markdown, text);
  const passed = gateMarkdown(reportOf(0.6));
  assert.match(passed, /^# Page-speed gate: passed$/m);
  assert.match(passed, /^\| index.html \| Cable \| first contentful paint .* passed, no more than \+79\.4% \|$/m);
});

test("in JSON, a known value is a number, a time above the time-out is a lower bound, and a measure that no load has is null", () => {
  const { passed, result, rows } = JSON.parse(gateJson(report)) as {
    passed: boolean;
    result: string;
    rows: { after: Record<string, unknown> }[];
  };
  assert.deepEqual([passed, result], [false, "failed"]);
  assert.deepEqual(rows[0]!.after.requests, 6);
  const endless = { ...row!, after: { ...row!.after, pageLoad: { atLeast: 10_000, atMost: Infinity } } };
  const none = { ...endless, after: { ...endless.after, requests: { atLeast: Infinity, atMost: Infinity } } };
  const json = JSON.parse(gateJson({ ...report, rows: [none] })) as { rows: { after: object }[] };
  assert.deepEqual(
    { ...json.rows[0]!.after, bytes: 0 },
    { ...rows[0]!.after, bytes: 0, pageLoad: { atLeast: 10_000 }, requests: null },
  );
});

test("JUnit's XML has a test suite for each page over a link, and a test case for each demand", () => {
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

test("the gate fails if the later page cannot be loaded, and is undecided if only the earlier page cannot be loaded", () => {
  const { baseline, comparisons } = run.manifest.experiment;
  const as = Object.keys(
    Object.values(run.manifest.registries.pages).flatMap((page) => ("learnt" in page ? [page.learnt] : []))[0]!,
  )[0]!;
  const without = (page: string) => {
    const manifest = { ...run.manifest, leftOut: [{ page, as, reason: "page x did not load: timeout" }] };
    return notLoadedIn(manifest);
  };
  const [before, now] = [baseline.page, comparisons.after!.option.page].map(String);
  const said = { page: "index.html", reason: "page x did not load: timeout" };
  assert.deepEqual(without(now!), [{ ...said, version: "after" }]);
  assert.deepEqual(without(before!), [{ ...said, version: "before" }]);
  const failed = { ...report, rows: [], notLoaded: without(now!) };
  assert.deepEqual(linesOf(failed, "failed"), ["index.html could not be loaded: page x did not load: timeout"]);
  assert.match(gateJUnit(failed), /failures="1".*<failure message="page x did not load: timeout"/);
  const undecided = { ...report, rows: [], notLoaded: without(before!) };
  assert.match(linesOf(undecided, "undecided").join(), /^the earlier version of index\.html could not be loaded/);
});

test("failed requests and console errors are printed as warnings, new ones are marked, and the gate still passes", () => {
  const shown = [
    { kind: "request" as const, text: "/api/user.json (404)", isNew: true },
    { kind: "console" as const, text: "TypeError: `x` is null", isNew: false },
  ];
  const markdown = gateMarkdown({ ...reportOf(0.6), warnings: [{ page: "index.html", shown, more: 3 }] });
  assert.match(markdown, /^# Page-speed gate: passed$/m);
  assert.match(markdown, /^## index\.html: warnings, which do not fail the gate$/m);
  assert.match(markdown, /^- new: request failed: \/api\/user\.json \(404\)\n- console error: .*x.*\n- and 3 more$/m);
  assert.match(markdown, /may succeed where the page is published; that is not measured/);
  assert.deepEqual(report.warnings, [{ page: "index.html", shown: [], more: 0 }]);
  assert.doesNotMatch(gateMarkdown(report), /warnings/);
});

test("bytes by host are printed once for a page, or for each link if they differ between links", () => {
  const hostBytes = (own: number) => [
    { host: null, beforeBytes: 1000, afterBytes: own },
    { host: "cdn.example.com", beforeBytes: 0, afterBytes: 500 },
  ];
  const printed = (cable: number, other: number) =>
    gateMarkdown({
      ...report,
      rows: [
        { ...row!, hostBytes: hostBytes(cable) },
        { ...row!, link: "4G", hostBytes: hostBytes(other) },
      ],
    }).match(/^.*bytes by host.*$/gm);
  const others = "cdn.example.com (500 B, was 0 B)";
  assert.deepEqual(printed(1000, 1000), [`- index.html: bytes by host: its own (1.0 kB), ${others}`]);
  assert.deepEqual(printed(1000, 1200), [
    `- index.html over Cable: bytes by host: its own (1.0 kB), ${others}`,
    `- index.html over 4G: bytes by host: its own (1.2 kB, was 1.0 kB), ${others}`,
  ]);
  assert.deepEqual(row!.hostBytes, [], "a page of one host");
});

/** The report of a gate without an earlier page and without budgets. */
const alone = {
  ...{ ...report, result: "passed" as const, passed: true, demanded: false },
  rows: report.rows.map((one) => ({ ...one, before: null, comparisons: {}, reasons: null, demands: [] })),
};

test("the heading of a gate without demands says that no demand was made; its JUnit file has one test", () => {
  const markdown = gateMarkdown(alone);
  for (const text of [
    /^# Page-speed gate: no demand was made$/m,
    /^\| page +\| link +\| measure +\| +median \| +range \|$/m,
    /^\| index.html \| Cable \| page load +\| +268 ms \| +\d+ ms to \d+ ms \|$/m,
    /^\| index.html \| Cable \| requests +\| +6 \| +\|$/m,
    /^Medians of 5 loads\. A range is from the smallest/m,
  ])
    assert.match(markdown, text);
  assert.match(gateJUnit(alone), /tests="1".*<testcase .*name="it can be loaded" \/>/);
  const ranges = (JSON.parse(gateJson(alone)) as typeof alone).rows[0]!.ranges;
  assert.deepEqual(ranges.requests, { least: 6, most: 6 });
});

test("with a budget and no earlier page, the Markdown table has columns for range and result", () => {
  const { rows } = reportOf(0.02, "requests=6");
  const budgeted = rows.map((one) => ({ ...one, before: null, comparisons: {}, reasons: null }));
  const demands = budgeted[0]!.demands.filter(({ measure }) => measure === "requests");
  const markdown = gateMarkdown({ ...alone, demanded: true, rows: budgeted.map((one) => ({ ...one, demands })) });
  assert.match(markdown, /^# Page-speed gate: passed$/m);
  assert.match(markdown, /^\| index.html \| Cable \| requests +\| +6 \| +\| +passed \|$/m);
});

test("if both pages have the same files, the Markdown and the JSON mention it", () => {
  const demands = { threshold: "2%", budgets: [], sameFiles: true as const };
  const same = gateReport({ ...run, manifest: { ...run.manifest, demands } }, { threshold: 0.6, budgets: [] });
  assert.match(gateMarkdown(same), /^# .*: passed\n\nBoth pages have the same files, so nothing is compared/);
  assert.equal((JSON.parse(gateJson(same)) as typeof same).sameFiles, true);
  assert.doesNotMatch(gateMarkdown(report), /same files/);
});
