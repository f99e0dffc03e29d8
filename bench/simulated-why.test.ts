import assert from "node:assert/strict";
import { test } from "node:test";
import { shapes } from "./simulated-intervals.ts";
import { coverageOfShares, truths } from "./simulated-why.ts";

const runs = 40;
for (const truth of Object.keys(truths))
  test(`intervals of shares contain the truth in 93% of simulated runs or more: ${truth} causes`, () => {
    for (const shape of Object.keys(shapes))
      for (const blocks of [10, 20]) {
        const { ms, percent, rest } = coverageOfShares(truth, shape, blocks, runs);
        for (const [of, share] of Object.entries({ ms, percent, rest }))
          if (!Number.isNaN(share)) assert.ok(share >= 0.93, `${shape}, ${blocks} blocks, ${of}: ${share}`);
      }
  });
