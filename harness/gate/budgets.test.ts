import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetsInFile, budgetsOf, recordedBudgets, thresholdOf } from "./budgets.ts";

const links = ["Cable", "4G"];

test("a budget sets limits with units, for all links or for one link", () => {
  assert.deepEqual(budgetsOf("pageLoad=2.5s, requests=80,bytes=1MB", links), [
    { measure: "pageLoad", most: 2500, link: null },
    { measure: "requests", most: 80, link: null },
    { measure: "bytes", most: 1e6, link: null },
  ]);
  assert.deepEqual(budgetsOf("4G: firstContentfulPaint=300 ms", links), [
    { measure: "firstContentfulPaint", most: 300, link: "4G" },
  ]);
  assert.equal(thresholdOf("2.5%"), 0.025);
});

test("the same budgets are read from the command line, a gate's file, and a run's record in its old or new form", () => {
  const ofFile = { all: { pageLoad: "2.5s", requests: 80 }, "4G": { bytes: "1MB" } };
  const typed = ["pageLoad=2.5s,requests=80", "4G: bytes=1MB"];
  const budgets = typed.flatMap((text) => budgetsOf(text, links));
  assert.deepEqual(budgetsInFile(ofFile, links), budgets);
  assert.deepEqual(recordedBudgets(budgets, links), budgets);
  assert.deepEqual(recordedBudgets(typed, links), budgets);
  assert.throws(
    () => budgetsInFile({ "5G": { requests: 80 } }, links),
    /^LabError: --config: budgets: 5G: the gate has no link "5G"/,
  );
  assert.throws(
    () => budgetsInFile({ all: { requests: "80ms" } }, links),
    /budgets: all: "80ms" is not a value of requests/,
  );
});

const refused: [text: string, message: RegExp][] = [
  ["speed=3s", /unknown measure "speed"; known: pageLoad, firstContentfulPaint, .*scriptBytes.*fontBytes$/],
  ["toString=3", /unknown measure "toString"/],
  ["pageLoad", /"" is not a value of pageLoad; write 2\.5s or 300ms$/],
  ["pageLoad=3", /"3" is not a value of pageLoad/],
  ["pageLoad=3 min", /"3 min" is not a value of pageLoad/],
  ["pageLoad=-3s", /"-3s" is not a value/],
  ["bytes=1MiB", /"1MiB" is not a value of bytes; write 1MB or 300kB$/],
  ["cumulativeLayoutShift=0.1s", /"0\.1s" is not a value of cumulativeLayoutShift; write 0\.1$/],
  ["requests=80ms", /"80ms" is not a value of requests; write 80$/],
  ["5G: requests=80", /the gate has no link "5G"; it has Cable, 4G$/],
];
for (const [text, message] of refused)
  test(`--budget ${text} is refused`, () => assert.throws(() => budgetsOf(text, links), { message }));

for (const text of ["2", "-1%", "101%", "%"])
  test(`--threshold ${text} is refused`, () => assert.throws(() => thresholdOf(text), /from 0% to 100%/));
