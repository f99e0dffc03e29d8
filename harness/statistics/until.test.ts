import assert from "node:assert/strict";
import { test } from "node:test";
import { enoughOf, isEnough } from "./until.ts";

test("a median is known when its interval is narrow, from five loads on", () => {
  const quiet = [1000, 1001, 1002, 1003, 1004];
  assert.ok(isEnough(quiet, 1));
  assert.ok(!isEnough(quiet.slice(0, 4), 1));
  assert.ok(!isEnough([1000, 1100, 1200, 1300, 1400], 1));
  assert.ok(isEnough([1000, 1100, 1200, 1300, 1400], 50));
});

test("without --until no condition ever has enough", () => assert.ok(!enoughOf({})(Array(100).fill(1000) as number[])));
