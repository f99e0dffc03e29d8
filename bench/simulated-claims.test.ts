import assert from "node:assert/strict";
import { test } from "node:test";
import { coverageOfClaims, kinds } from "./simulated-claims.ts";

test("intervals of each kind of claim contain the truth in at least 80% of 20 simulated runs", () => {
  const shares = coverageOfClaims("log-normal, sigma 0.3", 10, 20); // with 20 runs and a true share of 95%, 99.7% of seeds give 80% or more
  for (const [i, kind] of Object.keys(kinds).entries()) assert.ok(shares[i]! >= 0.8, `${kind}: ${shares[i]}`);
});

test("with fewer than five blocks no claim has an interval", () =>
  assert.deepEqual(coverageOfClaims("log-normal, sigma 0.3", 4, 1), Array(Object.keys(kinds).length).fill(null)));
