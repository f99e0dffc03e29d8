import assert from "node:assert/strict";
import { test } from "node:test";
import { answered } from "./page-answers.ts";
import { replacedBy } from "./replaced-by.ts";

test("answered() returns the page's answer without delay, and rejects with the page's error", async () => {
  assert.equal(await answered(Promise.resolve(7), 60_000), 7);
  await assert.rejects(answered(Promise.reject(new Error("Target closed")), 60_000), /Target closed/);
});

test("answered() rejects at the time limit if the page does not answer", () =>
  assert.rejects(answered(new Promise(() => {}), 20), /^Error: after loading, the page did not answer for 0.02 s/));

for (const [from, to, said] of [
  ["https://s1.lab:1/index.html", "https://s1.lab:1/home.html", /index\.html goes on to home\.html \(/],
  ["https://s1.lab:1/", "https://s1.lab:1/de/", /index\.html goes on to de\/index\.html \(/],
  ["https://s1.lab:1/about/", "https://s1.lab:1/", /about\/index\.html goes on to index\.html \(/],
  ["https://s1.lab:1/", "https://www.example.com/x", /index\.html goes on to https:\/\/www\.example\.com\/x \(/],
  ["https://s1.lab:1/", "https://s1.lab:1/?again", /index\.html loads itself again/],
  ["https://s1.lab:1/", null, /was replaced by another/],
] as const)
  test(`replacedBy(${from}, ${to}) matches ${said}`, () => assert.match(replacedBy(from, to), said));
