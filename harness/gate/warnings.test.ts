import assert from "node:assert/strict";
import { test } from "node:test";
import { type Evidence, mostConsoleErrors } from "../../schema/evidence.ts";
import { good } from "../judge/load/sample-load.fixture.ts";
import { warningsOf } from "./warnings.ts";

/** A load whose requests have these paths and statuses, and whose console shows these errors. */
const load = (statuses: Record<string, number>, consoleErrors?: string[], news: Partial<Evidence> = {}): Evidence => {
  const [first] = good.connections;
  const requests = Object.entries(statuses).map(([path, status]) => ({ ...first!.requests[0]!, path, status }));
  return { ...good, connections: [{ ...first!, requests }], ...(consoleErrors && { consoleErrors }), ...news };
};
const of = (before: Evidence[] | null, after: Evidence[]) => {
  const [one] = warningsOf([
    { page: "index.html", before: before && { evidence: before }, after: { evidence: after } },
  ]);
  return { ...one!, shown: one!.shown.map(({ kind, text, isNew }) => [kind, text, isNew]) };
};

test("each failed request and each console error is listed once, new ones first", () => {
  const { shown, more } = of(
    [load({ "/": 200, "/old.png": 404 }, ["Error: old"])],
    [load({ "/old.png": 404, "/a.js": 200 }, ["Error: old"]), load({ "/old.png": 404, "/new.js": 500 }, ["new"])],
  );
  assert.deepEqual(shown, [
    ["request", "/new.js (500)", true],
    ["console", "new", true],
    ["request", "/old.png (404)", false],
    ["console", "Error: old", false],
  ]);
  assert.equal(more, 0);
});

test("a request without an answer has failed, unless the page cancelled it or it was still in flight", () => {
  const name = "net::ERR_NAME_NOT_RESOLVED";
  const unanswered = [
    { url: "https://api.example.com/x?t=1", why: name },
    { url: "https://api.example.com/x?t=2", why: name },
    { url: "https://s1.lab:4432/gone.js", why: "net::ERR_ABORTED" },
    { url: "https://s1.lab:4432/slow.js", why: "" },
  ];
  assert.deepEqual(of(null, [load({}, undefined, { unanswered })]).shown, [
    ["request", `api.example.com/x (${name})`, null],
  ]);
});

test("at most ten warnings are shown, and long lines are cut", () => {
  const errors = Array.from({ length: 13 }, (_, i) => `${i}: ${"x".repeat(190)}`);
  const { shown, more } = of(null, [load({}, errors)]);
  assert.deepEqual([shown.length, more], [10, 3]);
  assert.ok(shown.every(([, text]) => String(text).length === 160));
});

test("if the earlier page had as many errors as a load can record, it is unknown whether another error is new", () => {
  const many = Array.from({ length: mostConsoleErrors }, (_, i) => `Error: ${i}`);
  const isNew = (errors: string[]) => of([load({}, errors)], [load({}, ["Error: other"])]).shown[0]![2];
  assert.equal(isNew(many), null);
  assert.equal(isNew(many.slice(1)), true);
});
