import assert from "node:assert/strict";
import { test } from "node:test";
import { madeUpLinks as links, madeUpPage, type Noise } from "../../bench/made-up-searches.ts";
import { randomOf } from "../../bench/random.ts";
import { finalEstimates } from "./final-estimates.ts";

const effects = new Map([
  ["half", { factor: 0.5, addMs: 0 }],
  ["also half", { factor: 0.5, addMs: 0 }],
  ["tenth", { factor: 0.9, addMs: 0 }],
]);
async function estimatesIn(noise: Noise, changes = [...effects.keys()], blocks = 15) {
  const times = await madeUpPage(effects, noise, randomOf(1)).measure({ changes, blocks, firstBlock: 1 });
  return finalEstimates({ times, changes, links, timeoutMs: 60_000 });
}

test("if load times do not vary, the savings are exact, and equal changes are tied", async () => {
  const { unchangedMs, changes, verdict, blocks } = await estimatesIn("no loss, equal times");
  assert.deepEqual([unchangedMs.value, blocks, verdict], [2800, 15, "helps"]);
  assert.deepEqual(
    changes.map(({ change, savedMs, isTied }) => [change, savedMs.value, isTied]),
    [
      ["half", 1400, true],
      ["also half", 1400, true],
      ["tenth", 280, false],
    ],
  );
  assert.ok(Math.abs(changes[2]!.savedPercent.value! - 10) < 1e-9);
  assert.deepEqual(changes[0]!.savedMs.interval, { low: 1400, high: 1400 });
  assert.equal(changes[0]!.linksMs.get("3GFast")!.value, 3000);
});

test("the more changes are estimated together, the wider the interval of a saving is", async () => {
  const widthOf = async (changes: string[]) => {
    const { low, high } = (await estimatesIn("losses: log-normal, sigma 0.3", changes)).changes[0]!.savedMs.interval!;
    return high - low;
  };
  const times = await widthOf(["half"]);
  assert.ok((await widthOf(["half", ...Array<string>(9).fill("nothing")])) > 1.2 * times);
});

test('the verdict is "nothing helps" only if all intervals lie below 2%', async () => {
  const verdictOf = async (...given: Parameters<typeof estimatesIn>) => (await estimatesIn(...given)).verdict;
  assert.equal(await verdictOf("no loss, some ms", ["nothing"]), "nothing helps");
  assert.equal(await verdictOf("losses: log-normal, sigma 0.3", ["nothing"]), "not sure");
  assert.equal(await verdictOf("no loss, equal times", ["half"], 4), "not sure");
  assert.equal(await verdictOf("no loss, equal times", []), "nothing helps");
});

test('if the search was not sure, the verdict is "not sure" instead of "nothing helps"', () => {
  const verdictWith = (isSure: boolean) => finalEstimates({ times: new Map(), changes: [], links, isSure }).verdict;
  assert.deepEqual([verdictWith(true), verdictWith(false)], ["nothing helps", "not sure"]);
});

test("a change whose loads never ended over one link is last, and its saving is an upper bound", () => {
  const timesOf = (ms: number) =>
    new Map(links.map(({ name }) => [name, new Map([1, 2, 3, 4, 5].map((b) => [b, ms]))]));
  const broken = timesOf(500).set("4G", new Map([1, 2, 3, 4, 5].map((block) => [block, Infinity])));
  const times = new Map([
    ["", timesOf(1000)],
    ["broken", broken],
    ["good", timesOf(900)],
  ]);
  const { changes } = finalEstimates({ times, changes: ["broken", "good"], links, timeoutMs: 60_000 });
  assert.deepEqual(
    changes.map(({ change, isTied, savedMs }) => [change, isTied, savedMs.bound]),
    [
      ["good", true, null],
      ["broken", false, "at most"],
    ],
  );
  assert.equal(changes[1]!.savedMs.value, 1000 - (0.6 * 500 + 0.4 * 60_000));
});
