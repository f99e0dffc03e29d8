import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace } from "./pace.ts";

test("the remaining time is estimated only from the loads that were made since the first observation", () => {
  const pace = new Pace();
  assert.equal(pace.secondsFor(10, 50_000, 100), null);
  assert.equal(pace.secondsFor(10, 60_000, 105), 20);
});
