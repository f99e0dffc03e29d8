import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace } from "./pace.ts";

test("what is left takes as long as what came while somebody looked on, whatever was before", () => {
  const pace = new Pace();
  assert.equal(pace.secondsFor(10), null);
  pace.look(50_000, 100);
  assert.equal(pace.secondsFor(10), null);
  pace.look(60_000, 105);
  assert.equal(pace.secondsFor(10), 20);
});
