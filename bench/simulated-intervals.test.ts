import assert from "node:assert/strict";
import { test } from "node:test";
import { coverage, meansOf, shapes } from "./simulated-intervals.ts";

const runs = 5; // with 72 speedups each: from seed to seed, the share varies by about 2%
for (const shape of Object.keys(shapes))
  test(`a speedup's interval contains the truth in about 95% of runs: ${shape}`, () => {
    const [of5 = 0, of10 = 0] = [5, 10].map((blocks) => coverage(shape, blocks, runs)[0]!);
    assert.ok(of5 > 0.88, `5 blocks: ${of5}`);
    assert.ok(of10 > 0.93, `10 blocks: ${of10}`);
  });

test("with fewer than five blocks, speedups have no intervals, so no interval contains the truth", () =>
  assert.deepEqual(coverage("log-normal, sigma 0.02", 4, 1), Array(meansOf.length).fill(0)));
