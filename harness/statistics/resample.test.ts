import assert from "node:assert/strict";
import { test } from "node:test";
import { median, quantile } from "./quantile.ts";
import { resampleBlocks, resampledMedians, resampledQuantiles, tooFewBlocks } from "./resample.ts";

const sample = new Map([
  [1, 50],
  [2, 10],
  [3, 40],
  [4, 20],
  [5, 30],
]);

test("a resample has as many blocks as the run, with repetitions", () => {
  const { blocks, counts } = resampleBlocks([3, 1, 2, 1], 500);
  assert.deepEqual(blocks, [1, 2, 3]);
  assert.ok(counts.every((drawn) => drawn.reduce((a, b) => a + b) === 3));
  assert.ok(
    counts.some((drawn) => drawn.includes(3)),
    "some resample contains one block three times",
  );
  const share = counts.reduce((sum, drawn) => sum + drawn[0]!, 0) / (500 * 3);
  assert.ok(Math.abs(share - 1 / 3) < 0.05, `each of 3 blocks is equally likely, but block 1 has a share of ${share}`);
});

test("the same blocks and seed give the same resamples, in whatever order the blocks are given", () => {
  assert.deepEqual(resampleBlocks([1, 2, 3], 50), resampleBlocks([3, 2, 1], 50));
  assert.notDeepEqual(resampleBlocks([1, 2, 3], 50, 1), resampleBlocks([1, 2, 3], 50, 2));
});

test("a resampled median is the median of all drawn values", () => {
  const resamples = resampleBlocks(sample.keys(), 300);
  const medians = resampledMedians(sample, resamples);
  resamples.counts.forEach((drawn, draw) => {
    const values = resamples.blocks.flatMap((block, index) => Array<number>(drawn[index]!).fill(sample.get(block)!));
    assert.equal(medians[draw], median(values));
  });
});

test("a resampled quantile is the quantile of all values of the drawn blocks, also if a block has several values or none", () => {
  const ofBlocks = [[50, 7, 7], [10], [], [20, Infinity], [30]];
  const resamples = resampleBlocks([1, 2, 3, 4, 5], 300);
  for (const share of [0.5, 0.55, 0.95])
    resampledQuantiles(ofBlocks, resamples, share).forEach((one, draw) => {
      const values = ofBlocks.flatMap((own, i) => Array(resamples.counts[draw]![i]!).fill(own).flat() as number[]);
      assert.equal(one, values.length ? quantile(values, share) : NaN);
    });
});

test("the median of an even number of drawn values lies between the middle two", () => {
  const resamples = { blocks: [1, 2], counts: [Uint16Array.of(1, 1), Uint16Array.of(2, 0), Uint16Array.of(0, 2)] };
  assert.deepEqual(
    [
      ...resampledMedians(
        new Map([
          [1, 100],
          [2, 300],
        ]),
        resamples,
      ),
    ],
    [200, 100, 300],
  );
});

test("the median of a resample that contains no block of the sample is NaN", () => {
  const resamples = { blocks: [1, 2], counts: [Uint16Array.of(0, 2), Uint16Array.of(2, 0), Uint16Array.of(1, 1)] };
  assert.deepEqual([...resampledMedians(new Map([[1, 7]]), resamples)], [NaN, 7, 7]);
});

test("tooFewBlocks says why four blocks give no interval, and returns null for five blocks", () => {
  assert.equal(tooFewBlocks(4), "4 blocks are too few for a 95% interval: 5 are needed");
  assert.equal(tooFewBlocks(5), null);
});
