import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunView } from "../data/run-view.ts";
import { meanParts } from "./parts-bars.tsx";

const run = {
  conditions: [{ parts: [100, 20] }, { parts: [200, 40] }, { parts: null }],
} as unknown as RunView;

test("meanParts averages over the conditions whose parts are known", () => {
  assert.deepEqual(meanParts(run, [0, 1, 2, null]), [150, 30]);
  assert.equal(meanParts(run, [2, null]), null);
});
