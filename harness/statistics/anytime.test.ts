import assert from "node:assert/strict";
import { test } from "node:test";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { anytimeInterval, type Moments, momentsOf } from "./anytime.ts";

const generator = xoroshiro128plus(1);
const random = () => uniformFloat64(generator);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const sample = [12, 15, 9, 14, 11, 13];
const c2 = 0.01;

/** Computes the evidence against a true mean of m, by the formula from which the interval is derived. */
function evidenceAgainst({ count: n, mean, squares }: Moments, m: number): number {
  const distance = n * (mean - m) ** 2;
  return Math.sqrt(c2 / (n + c2)) * ((squares + distance) / (squares + (distance * c2) / (n + c2))) ** (n / 2);
}

test("the evidence formula agrees with the ratio of two numerically integrated likelihoods", () => {
  const values = [0.9, 1.3, 1.1, 0.6];
  const likelihood = (mean: number, deviation: number) =>
    values.reduce((product, x) => (product / deviation) * Math.exp(-((x - mean) ** 2) / (2 * deviation ** 2)), 1);
  let [above, below] = [0, 0];
  for (let log = -5; log < 7; log += 0.01) {
    const deviation = Math.exp(log);
    below += likelihood(0, deviation);
    for (let effect = -50; effect < 50; effect += 0.05)
      above +=
        0.05 *
        likelihood(effect * deviation, deviation) *
        Math.sqrt(c2 / (2 * Math.PI)) *
        Math.exp((-c2 * effect ** 2) / 2);
  }
  const evidence = evidenceAgainst(momentsOf(values), 0);
  assert.ok(Math.abs(evidence / (above / below) - 1) < 0.01, `${evidence} is not ${above / below}`);
});

const draws: Record<string, () => number> = {
  normal,
  "difference of two log-normal times, sigma 0.6": () => Math.exp(0.6 * normal()) - Math.exp(0.6 * normal()),
  "a log-normal time, sigma 0.3, less its mean": () => Math.exp(0.3 * normal()) - Math.exp(0.045),
  "nearly always 0": () => (random() < 0.1 ? normal() : 0),
};
for (const [name, draw] of Object.entries(draws))
  test(`in at most 5% of samples, at least one of 200 successive intervals misses the true mean: ${name}`, () => {
    const samples = 1000;
    let wrong = 0;
    for (let i = 0; i < samples; i++) {
      let [sum, squares, isWrong] = [0, 0, false];
      for (let count = 1; count <= 200 && !isWrong; count++) {
        const value = draw();
        sum += value;
        squares += value ** 2;
        const mean = sum / count;
        const { low, high } = anytimeInterval({ count, mean, squares: Math.max(0, squares - count * mean ** 2) }, 0.05);
        isWrong = low > 0 || high < 0;
      }
      if (isWrong) wrong++;
    }
    assert.ok(wrong <= 0.05 * samples, `${wrong} of ${samples}`);
  });

test("at both ends of an interval, the evidence against the true mean being there is 1 / misses (misses is the error rate)", () => {
  for (const misses of [0.05, 0.001]) {
    const moments = momentsOf(sample);
    const { low, high } = anytimeInterval(moments, misses);
    for (const end of [low, high]) assert.ok(Math.abs(evidenceAgainst(moments, end) * misses - 1) < 1e-9);
  }
});

test("the interval of a single value reaches from -Infinity to Infinity", () =>
  assert.deepEqual(anytimeInterval(momentsOf([7]), 0.05), { low: -Infinity, high: Infinity }));

test("the interval of equal values contains only this value, but is wider if the measurement's resolution is given", () => {
  const equal = [7, 7, 7, 7];
  assert.deepEqual(anytimeInterval(momentsOf(equal), 0.05), { low: 7, high: 7 });
  const { low, high } = anytimeInterval(momentsOf(equal, 0.5), 0.05);
  assert.ok(low > 3 && low < 7 && high > 7 && high < 11, `${low} to ${high}`);
});

test("values that are not finite are refused", () => assert.throws(() => momentsOf([1, Infinity]), /finite/));
