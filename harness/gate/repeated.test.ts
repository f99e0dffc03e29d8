/** If slow attempts give no result and are repeated, slow loads are missing. A gate must then be undecided instead of comparing the other loads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords, repeatedDemands } from "./repeated.ts";

const share = (having: number) => ({ having, of: 10 });
const links = 3;

test("a gate is undecided if loads of one page were repeated more often than chance explains", () => {
  const results = (before: number, after: number) =>
    repeatedDemands({ before: share(before), after: share(after) }, links).map(({ result }) => result);
  assert.deepEqual(results(0, 7), ["undecided"]);
  assert.deepEqual(results(7, 0), ["undecided"], "slow loads of the earlier page may be missing, too");
  assert.deepEqual(results(0, 4), [], "one gate in twenty may repeat as many loads by chance");
  assert.deepEqual(results(4, 4), []);
  const [demand] = repeatedDemands({ before: share(0), after: share(7) }, links);
  assert.equal(demand!.measured, "7 of 10 loads (before: 0 of 10) had to be repeated, so slow loads may be missing");
});

test("a gate is undecided if half of the loads were repeated, also without a page to compare with", () => {
  const count = (after: number) => repeatedDemands({ before: null, after: share(after) }, links).length;
  assert.deepEqual([0, 4, 5, 10].map(count), [0, 0, 1, 1]);
  assert.equal(repeatedDemands({ before: share(5), after: share(5) }, links).length, 1);
  assert.equal(inWords({ before: null, after: share(7) }), "7 of 10 loads");
});
