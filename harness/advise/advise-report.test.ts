import assert from "node:assert/strict";
import { test } from "node:test";
import { allAreKnown } from "./advise-report.ts";

const change = (name: string) => ({ name, title: name, row: { page: name } });
const times = new Map([["half", new Map()]]);

test("allAreKnown is false if a change was not measured, unless this change leaves out a part of the page", () => {
  assert.equal(allAreKnown({ changes: [change("half")] }, times), true);
  assert.equal(
    allAreKnown({ changes: [change("half"), { ...change("without"), leavesOut: true as const }] }, times),
    true,
  );
  assert.equal(allAreKnown({ changes: [change("half"), change("inline")] }, times), false);
});

test("allAreKnown is false if the search was not sure", () => {
  const search = { isSure: false, loads: 10 };
  assert.equal(allAreKnown({ changes: [change("half")], search }, times), false);
});
