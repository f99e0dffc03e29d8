import assert from "node:assert/strict";
import { test } from "node:test";
import { madeUpLinks as links, madeUpPage, type Noise, randomOf } from "../../bench/made-up-searches.ts";
import { combine } from "./combine.ts";

const effects = new Map([
  ["best", { factor: 0.8, addMs: 0 }],
  ["second", { factor: 1, addMs: -300 }],
  ["third", { factor: 0.9, addMs: 0 }],
  ["no more", { factor: 0.999, addMs: 0 }],
]);

function combineIn({ noise = "no loss, some ms" as Noise, loads = 1000, misfit = "" } = {}) {
  const page = madeUpPage(effects, noise, randomOf(1));
  return combine({
    finalists: [...effects.keys()],
    links,
    fits: (_, added) => added !== misfit,
    nameOf: (set) => set.join("+"),
    blocks: 5,
    firstBlock: 10,
    loadsLeft: () => loads - page.loads(),
    measure: page.measure,
  });
}

test("what saves most is added first, and what saves nothing more is left out", async () => {
  const { set, steps, nextBlock } = await combineIn();
  assert.deepEqual(set, ["best", "second", "third"]);
  assert.ok(Math.abs(steps[0]!.moreMs - 300) < 10, `${steps[0]!.moreMs}`);
  assert.equal(nextBlock, 25);
});

test("a change that does not fit is not added", async () =>
  assert.deepEqual((await combineIn({ misfit: "second" })).set, ["best", "third"]));

test("too few loads for a step leave the set as it is", async () =>
  assert.deepEqual(await combineIn({ loads: 74 }), { set: ["best"], steps: [], nextBlock: 10 }));

test("where loads scatter, a step rarely adds what saves nothing", async () => {
  let wrong = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const page = madeUpPage(new Map(), "losses: log-normal, sigma 0.3", randomOf(seed));
    const { set } = await combine({
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
