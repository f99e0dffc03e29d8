import assert from "node:assert/strict";
import { test } from "node:test";
import { distributions, logNormalSizes, solveSizes } from "./sizes.ts";

const spec = { count: 50, minBytes: 1000, maxBytes: 9000, meanBytes: 3000 };

test("solveSizes returns sizes with the given minimum, maximum and mean for every distribution", () => {
  for (const distribution of distributions) {
    const { sizesBytes } = solveSizes({ distribution, ...spec }, "sizes");
    assert.equal(sizesBytes.length, 50);
    assert.equal(sizesBytes[0], 1000);
    assert.equal(sizesBytes.at(-1), 9000);
    assert.ok(Math.abs(sizesBytes.reduce((sum, size) => sum + size, 0) / 50 - 3000) <= 1, distribution);
  }
});

test("given a mean that was computed with the shape parameter 1, solveSizes finds this parameter", () => {
  const ranks = Array.from({ length: 50 }, (_, rank) => rank / 49);
  const meanBytes = ranks.reduce((sum, u) => sum + 1000 * 9 ** u, 0) / 50;
  const { shape } = solveSizes({ distribution: "log-power", ...spec, meanBytes }, "sizes");
  assert.ok(Math.abs((shape ?? NaN) - 1) < 0.01, String(shape));
});

test("solveSizes accepts equal minimum, mean and maximum", () => {
  const one = { distribution: "power" as const, count: 3, minBytes: 500, maxBytes: 500, meanBytes: 500 };
  assert.deepEqual(solveSizes(one, "sizes").sizesBytes, [500, 500, 500]);
});

test("log-normal sizes have the given median, and the quantiles that sigma implies", () => {
  const sizes = logNormalSizes({ count: 999, medianBytes: 10_000, sigma: 1.5, minBytes: 1, maxBytes: 1e9 });
  assert.equal(sizes[499], 10_000);
  // From tables of the normal distribution: 97.5% of the values are below 1.95996, and 84.134% are below 1.
  for (const [share, z] of [
    [0.975, 1.95996],
    [0.84134, 1],
    [0.025, -1.95996],
  ] as const)
    assert.ok(Math.abs(Math.log(sizes[Math.round(share * 999 - 0.5)]! / 10_000) / 1.5 - z) < 0.01, `${share}`);
  const limited = logNormalSizes({ count: 999, medianBytes: 10_000, sigma: 1.5, minBytes: 1000, maxBytes: 50_000 });
  assert.deepEqual([limited[0], limited[499], limited.at(-1)], [1000, 10_000, 50_000]);
});

test("solveSizes refuses an impossible mean, and the error names the allowed range", () => {
  for (const meanBytes of [900, 1001, 8999, 10_000])
    assert.throws(
      () => solveSizes({ distribution: "power", ...spec, meanBytes }, "page: images.0"),
      /^LabError: page: images\.0: no sizes with the distribution power .* \d+ to \d+ B is allowed$/,
    );
});
