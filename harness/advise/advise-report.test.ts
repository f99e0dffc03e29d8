import assert from "node:assert/strict";
import { test } from "node:test";
import { allAreKnown } from "./advise-report.ts";

const change = (name: string) => ({ name, title: name, row: { page: name } });
const times = new Map([["half", new Map()]]);

test("a change that was not measured may be the best one, unless it takes a part of the page away, which is no advice", () => {
  assert.equal(allAreKnown({ changes: [change("half")] }, times), true);
  assert.equal(
    allAreKnown({ changes: [change("half"), { ...change("without"), leavesOut: true as const }] }, times),
    true,
  );
  assert.equal(allAreKnown({ changes: [change("half"), change("inline")] }, times), false);
});

test("an undecided search may have left out a change that helps", () => {
  const search = { isSure: false, loads: 10 };
  assert.equal(allAreKnown({ changes: [change("half")], search }, times), false);
});
