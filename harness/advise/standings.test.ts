import assert from "node:assert/strict";
import { test } from "node:test";
import { type State, standings } from "./standings.ts";
import { type Times, unchanged } from "./times.ts";

const links = [
  { name: "fast", share: 0.75 },
  { name: "slow", share: 0.25 },
];

/** Makes times over both links. @param pages each page's times by block over the fast link, in ms; the slow link takes four times as long */
const timesOf = (pages: Record<string, readonly number[]>): Times =>
  new Map(
    Object.entries(pages).map(([change, fast]) => [
      change,
      new Map(links.map(({ name }, i) => [name, new Map(fast.map((ms, block) => [block + 1, i ? 4 * ms : ms]))])),
    ]),
  );
const six = (ms: number) => Array<number>(6).fill(ms);
const statesOf = (times: Times, began = times.size - 1): Record<string, State> => {
  const of = [...times.keys()].filter((change) => change !== unchanged);
  return Object.fromEntries(standings([times], of, links, began).all.map(({ change, state }) => [change, state]));
};

test("savings are weighted by the users' shares, and the change that saves most is first", () => {
  const found = standings([timesOf({ "": six(1000), a: six(900), b: six(800) })], ["a", "b"], links, 2);
  assert.equal(found.unchangedMs, 1750);
  assert.deepEqual(
    found.all.map(({ change, savingMs, blocks }) => [change, savingMs, blocks]),
    [
      ["b", 350, 6],
      ["a", 175, 6],
    ],
  );
});

test("if load times do not vary, six blocks decide which changes are slower than the best one, near it, or not worth it", () => {
  const times = timesOf({
    "": six(1000),
    best: six(800),
    near: six(801),
    worse: six(850),
    little: six(990),
    bad: six(1100),
  });
  assert.deepEqual(statesOf(times), {
    best: "open",
    near: "near",
    worse: "slower",
    little: "not worth it",
    bad: "not worth it",
  });
});

test("after three blocks, or after six blocks with widely varying times, nothing is decided: every change is still open", () => {
  const few = timesOf({ "": [1000, 1000, 1000], best: [800, 800, 800], bad: [1100, 1100, 1100] });
  assert.deepEqual(statesOf(few, 30), { best: "open", bad: "open" });
  const wide = timesOf({
    "": six(1000),
    best: [500, 1300, 700, 900, 600, 800],
    bad: [1000, 700, 1500, 900, 1200, 1300],
  });
  assert.deepEqual(statesOf(wide), { best: "open", bad: "open" });
});

test("the more changes a search began with, the fewer decisions are sure with the same times", () => {
  const times = timesOf({ "": six(1000), best: six(800), worse: [839, 850, 830, 845, 838, 851] });
  assert.deepEqual(statesOf(times, 2), { best: "open", worse: "slower" });
  assert.deepEqual(statesOf(times, 2000), { best: "open", worse: "open" });
});

test("a change whose loads never end over one link is left out at once, unless the unchanged page's loads do not end either", () => {
  const never = (times: Times, change: string) =>
    new Map([...times, [change, new Map([...times.get(change)!, ["slow", new Map([[1, Infinity]])]])]]);
  const times = never(timesOf({ "": [1000], a: [900], b: [990] }), "a");
  assert.deepEqual(statesOf(times), { b: "open", a: "never ends" });
  assert.deepEqual(statesOf(never(times, unchanged)), { a: "open", b: "open" });
});

test("a change whose load in the last round never ends is left out, however fast its earlier loads were", () => {
  const first = timesOf({ "": six(1000), a: six(500) });
  const page = (ms: number) => new Map(links.map(({ name }) => [name, new Map([[7, ms]])]));
  const last = new Map([
    ["", page(1000)],
    ["a", page(Infinity)],
  ]);
  assert.equal(standings([first, last], ["a"], links, 1).all[0]!.state, "never ends");
});

test("for a load that never ended, the time of the slowest load over the same link is used", () => {
  const times = timesOf({ "": [1000, 1000], a: [900, Infinity], b: [1200, 900] });
  const { all } = standings([times], ["a", "b"], links, 2);
  // The users' time is 1750 ms. Change a saves 10% of it in the first block and loses 20% in the second. Change b does the reverse.
  for (const { savingMs } of all) assert.ok(Math.abs(savingMs - (1750 * (0.1 - 0.2)) / 2) < 1e-9, `${savingMs}`);
});
