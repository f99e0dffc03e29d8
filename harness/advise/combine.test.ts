import assert from "node:assert/strict";
import { test } from "node:test";
import { madeUpLinks as links, madeUpPage, type Noise } from "../../bench/made-up-searches.ts";
import { randomOf } from "../../bench/random.ts";
import { combine } from "./combine.ts";

const effects = new Map([
  ["best", { factor: 0.8, addMs: 0 }],
  ["second", { factor: 1, addMs: -300 }],
  ["third", { factor: 0.9, addMs: 0 }],
  ["no more", { factor: 0.999, addMs: 0 }],
]);

/** @returns the set of combined changes, and the first block of each step */
async function combineIn({ noise = "no loss, some ms" as Noise, loads = 1000, misfit = "" } = {}) {
  const page = madeUpPage(effects, noise, randomOf(1));
  const firstBlocks: number[] = [];
  const set = await combine({
    finalists: [...effects.keys()],
    links,
    fits: (_, added) => added !== misfit,
    nameOf: (set) => set.join("+"),
    blocks: 5,
    firstBlock: 10,
    loadsLeft: () => loads - page.loads(),
    measure(asked) {
      firstBlocks.push(asked.firstBlock);
      return page.measure(asked);
    },
  });
  return { set, firstBlocks };
}

test("the change that adds the largest saving is added first, and a change that adds no saving is left out", async () => {
  const { set, firstBlocks } = await combineIn();
  assert.deepEqual(set, ["best", "second", "third"]);
  assert.deepEqual(firstBlocks, [10, 15, 20], "each step has new blocks");
});

test("a change that cannot be combined with the others is not added", async () =>
  assert.deepEqual((await combineIn({ misfit: "second" })).set, ["best", "third"]));

test("if too few loads are left to try combinations, no change is added to the best one", async () =>
  assert.deepEqual(await combineIn({ loads: 74 }), { set: ["best"], firstBlocks: [] }));

test("if load times vary widely, a change that saves nothing is added in at most a tenth of the searches", async () => {
  let wrong = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const page = madeUpPage(new Map(), "losses: log-normal, sigma 0.3", randomOf(seed));
    const set = await combine({
      finalists: ["a", "b", "c", "d"],
      links,
      fits: () => true,
      nameOf: (names) => names.join("+"),
      blocks: 5,
      firstBlock: 1,
      loadsLeft: () => 100,
      measure: page.measure,
    });
    if (set.length > 1) wrong++;
  }
  assert.ok(wrong <= 20, `${wrong} of 200`);
});
