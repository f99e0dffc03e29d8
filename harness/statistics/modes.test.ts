import assert from "node:assert/strict";
import { test } from "node:test";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { groupsIn } from "./modes.ts";

test("times in three separate groups have three modes, each with its smallest and largest time and its size", () => {
  const real = [
    6354, 2872, 5103, 2868, 2882, 5082, 2876, 6336, 2879, 5095, 2874, 2874, 5091, 2876, 2877, 6343, 2878, 5092,
  ];
  assert.deepEqual(groupsIn(real), [
    { least: 2868, most: 2882, size: 10 },
    { least: 5082, most: 5103, size: 5 },
    { least: 6336, most: 6354, size: 3 },
  ]);
});

test("modes are found if 2 of 18 times are outliers, but not if 3 of 11 are", () => {
  const two = [...Array(8).fill(1000), ...Array(8).fill(1500)] as number[];
  const groups = groupsIn([...two, 2500, 3500]);
  assert.deepEqual(
    groups.map(({ size }) => size),
    [8, 8, 1, 1],
  );
  assert.deepEqual(groupsIn([...Array(4).fill(1000), ...Array(4).fill(1500), 2500, 3500, 4500] as number[]), []);
});

test("no modes are found if there are fewer than ten values, if groups are less than 1% apart, or if a load never ended", () => {
  const two = [...Array(5).fill(1000), ...Array(5).fill(1500)] as number[];
  assert.equal(groupsIn(two).length, 2);
  assert.deepEqual(groupsIn(two.slice(1)), []);
  assert.deepEqual(groupsIn(two.map((ms) => (ms === 1500 ? 1009 : ms))), []);
  assert.deepEqual(groupsIn([...two, Number.POSITIVE_INFINITY]), []);
});

test("in samples of uniform, normal, log-normal, exponential and Pareto distributions, modes are found in fewer than 2% of cases", () => {
  const random = xoroshiro128plus(1);
  const uniform = () => uniformInt(random, 1, 2 ** 30) / (2 ** 30 + 1);
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const shapes = {
    uniform: () => 1 + uniform(),
    normal: () => 10 + normal(),
    "log-normal": () => Math.exp(normal()),
    exponential: () => -Math.log(uniform()),
    pareto: () => 1 / uniform(),
  };
  for (const [shape, draw] of Object.entries(shapes))
    for (const size of [10, 14, 20, 50]) {
      const samples = Array.from({ length: 2000 }, () => groupsIn(Array.from({ length: size }, draw)));
      const found = samples.filter((groups) => groups.length > 0).length;
      assert.ok(found < 40, `${shape}, ${size} values: ${found} of ${samples.length}`);
    }
});
