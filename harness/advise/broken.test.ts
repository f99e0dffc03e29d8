import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../schema/evidence.ts";
import type { LearntRequest } from "../../schema/registries.ts";
import { type Shown, whyBroken } from "./broken.ts";
import type { Candidate } from "./candidate.ts";

const request = (path: string, status = 200): LearntRequest => ({ host: "s1.lab", path, status, bytes: 1000 });
const shown = (learnt: LearntRequest[], consoleErrors: string[] = []): Shown => ({
  learnt,
  window: null,
  evidence: [{ consoleErrors } as Evidence],
});
const change = (takesAway: readonly string[] = []): Candidate => ({
  ...{ name: "x", title: "x", values: {}, edited: null },
  changes: [{ name: "x", title: "x", edit: () => null, takesAway: (path) => takesAway.includes(path) }],
});
const before = shown([request("/"), request("/app.js"), request("/data.json")]);

test("a page whose requests are the same with the change is not broken", () => {
  assert.equal(whyBroken(change(), before, before), null);
});

test("if only files that the change declares as removed are no longer requested, the page is not broken", () => {
  assert.equal(whyBroken(change(["app.js"]), before, shown([request("/"), request("/data.json")])), null);
});

test("if a file that the change does not declare as removed is no longer requested, the page is broken, and the reason names the file", () => {
  assert.equal(whyBroken(change(["app.js"]), before, shown([request("/")])), "data.json is not requested any more");
});

test("a change that leaves out a part of the page may also remove the files that this part requests", () => {
  const part = change(["app.js"]);
  const leavingOut = { ...part, changes: [{ ...part.changes[0]!, leavesOut: true as const }] };
  assert.equal(whyBroken(leavingOut, before, shown([request("/")])), null);
});

test("a request for a missing file breaks the page, unless the unchanged page makes it, too", () => {
  const after = shown([...before.learnt, request("/missing.png", 404)]);
  assert.equal(
    whyBroken(change(), before, after),
    "requests get errors that they did not get before: /missing.png (404)",
  );
  assert.equal(whyBroken(change(), after, after), null);
});

test("a console error breaks the page, unless the unchanged page shows it, too", () => {
  const after = shown([...before.learnt], ["ReferenceError: $ is not defined"]);
  assert.match(whyBroken(change(), before, after) ?? "", /its console shows a new error: ReferenceError/);
  assert.equal(whyBroken(change(), after, after), null);
});

test("if the page looks different in the browser's window, it is broken, unless the change is expected to look different", () => {
  const looking = (...greys: number[]): Shown => ({
    ...before,
    window: { picture: Buffer.from(greys.flatMap((grey) => [grey, grey, grey, 255])).toString("base64"), images: [] },
  });
  const [was, is] = [looking(255, 255, 0, 0), looking(255, 255, 0, 255)];
  assert.equal(whyBroken(change(), was, is), "the window looks different in 25.0% of its area");
  assert.equal(whyBroken(change(), was, was), null);
  assert.equal(whyBroken(change(), was, before), null, "no picture was taken");
  const [only] = change().changes;
  assert.equal(whyBroken({ ...change(), changes: [{ ...only!, looksDifferent: true }] }, was, is), null);
});
