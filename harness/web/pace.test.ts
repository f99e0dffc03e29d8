import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace } from "./pace.ts";

test("what is left takes as long as what came while somebody looked on, whatever was before", () => {
  const pace = new Pace();
  assert.equal(pace.secondsFor(10, 50_000, 100), null);
  assert.equal(pace.secondsFor(10, 60_000, 105), 20);
});
