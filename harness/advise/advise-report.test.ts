import assert from "node:assert/strict";
import { test } from "node:test";
import { allAreKnown } from "./advise-report.ts";

const change = (name: string) => ({ name, title: name, row: { page: name } });
const times = new Map([["half", new Map()]]);

test("an unmeasured change leaves open whether another change helps, unless it leaves out a part of the page", () => {
  assert.equal(allAreKnown({ changes: [change("half")] }, times), true);
  assert.equal(
    allAreKnown({ changes: [change("half"), { ...change("without"), leavesOut: true as const }] }, times),
    true,
  );
  assert.equal(allAreKnown({ changes: [change("half"), change("inline")] }, times), false);
});

test("a search that was not sure leaves open whether another change helps", () => {
  const search = { isSure: false, loads: 10 };
  assert.equal(allAreKnown({ changes: [change("half")], search }, times), false);
});
