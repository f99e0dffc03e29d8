import assert from "node:assert/strict";
import { test } from "node:test";
import { type Effect, madeUpLinks as links, madeUpPage, type Noise } from "../../bench/made-up-searches.ts";
import { randomOf } from "../../bench/random.ts";
import { type Asked, search } from "./search.ts";
import { unchanged } from "./times.ts";

/** Runs a search on a made-up page, and keeps what each round measured. @param factors each change's time, relative to the unchanged page */
async function searchIn(
  factors: Record<string, number>,
  { noise = "no loss, equal times" as Noise, budget = 1e4, most = 2 } = {},
) {
  const effects = new Map(
    Object.entries(factors).map(([name, factor]): [string, Effect] => [name, { factor, addMs: 0 }]),
  );
  const page = madeUpPage(effects, noise, randomOf(1));
  const asked: Asked[] = [];
  const found = await search({
    changes: [...effects.keys()],
    links,
    most,
    loadsLeft: () => budget - page.loads(),
    minutesOf: (loads) => loads / 10,
    measure: (one) => {
      asked.push(one);
      return page.measure(one);
    },
  });
  return { found, asked, loads: page.loads() };
}
const names = (left: readonly { change: string; why: string }[]) =>
  Object.fromEntries(left.map(({ change, why }) => [change, why]));

test("if load times do not vary, four blocks are enough to find the best changes, and to know why the other changes are left out", async () => {
  const { found, asked } = await searchIn({ little: 0.99, best: 0.7, good: 0.9, same: 0.7, bad: 1.3 });
  assert.deepEqual(found.finalists, ["best", "same"]);
  assert.deepEqual(names(found.left), { little: "not worth it", bad: "not worth it", good: "slower" });
  assert.ok(found.isSure && found.nextBlock === 5, `${found.nextBlock}`);
  assert.deepEqual(
    asked.map(({ firstBlock, blocks }) => [firstBlock, blocks]),
    [
      [1, 1],
      [2, 3],
    ],
  );
});

test("no block is measured twice, and a change that was left out is not measured again", async () => {
  const factors = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`change ${i}`, 0.6 + 0.06 * i]));
  const { found, asked } = await searchIn(factors, { noise: "losses: log-normal, sigma 0.3", budget: 5000 });
  let next = 1;
  let before: readonly string[] = Object.keys(factors);
  for (const { firstBlock, blocks, changes } of asked) {
    assert.equal(firstBlock, next);
    assert.ok(changes.every((change) => before.includes(change)));
    next += blocks;
    before = changes;
  }
  assert.equal(found.nextBlock, next);
  assert.ok(asked.at(-1)!.changes.length < 12);
  assert.equal(found.finalists[0], "change 0");
});

test("if no change saves 2%, the search has no finalists and is sure of this result", async () => {
  const { found } = await searchIn({ a: 0.99, b: 1, c: 1.2 });
  assert.deepEqual([found.finalists, found.isSure], [[], true]);
});

test("if the loads run out, the finalists are the changes that save most on average, and the search is not sure of them", async () => {
  const { found, loads } = await searchIn(
    { a: 0.95, b: 0.96, c: 0.97, d: 0.5, e: 0.9 },
    { noise: "losses: log-normal, sigma 0.3", budget: 40, most: 1 },
  );
  assert.deepEqual([found.finalists, found.isSure, loads <= 40], [["d"], false, true]);
  assert.ok(found.left.some(({ why }) => why === "behind"));
});

test("a search with too few loads for one block is refused; the message says how many it needs", () =>
  assert.rejects(
    searchIn({ a: 1, b: 1 }, { budget: 8 }),
    /to load 2 changes and the unchanged page once over each of 3 links takes 9 loads, but there is time for only 8: allow more time \(about 1 min in total\)/,
  ));

test("a change whose loads never end over one link is left out after the first round", async () => {
  const times = (ms: number) => new Map(links.map(({ name }) => [name, new Map([[1, ms]])]));
  const broken = times(500).set("4G", new Map([[1, Infinity]]));
  const found = await search({
    changes: ["broken", "good"],
    links,
    most: 1,
    loadsLeft: () => 9,
    measure: async () =>
      new Map([
        [unchanged, times(1000)],
        ["broken", broken],
        ["good", times(900)],
      ]),
  });
  assert.deepEqual([found.finalists, names(found.left)], [["good"], { broken: "never ends" }]);
});
