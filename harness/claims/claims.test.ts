/** Numbers of claims, computed from loads with known times. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { claimSchema, type Leaf, readClaims } from "../plan/claims.ts";
import type { Published } from "../plan/published.ts";
import { countLoads } from "../tables/counted.ts";
import { numbersOf } from "./claimed-quantity.ts";
import { valueText } from "./claims-markdown.ts";
import { claim, leaf, loads, measured, number, planned } from "./measured.fixture.ts";
import { publishedClaims } from "./published-claims.ts";
import { clocksAgree, type ScoreRow, scoreOf, tally } from "./score.ts";
import { verdictOf } from "./verdict.ts";

const valuesOf = (quantity: Parameters<typeof numbersOf>[0]) =>
  numbersOf(quantity, measured).map(({ key, value }) => [key, Math.round(value! * 1000) / 1000]);

test("of the speedups 2, 1/2 and 1, the geometric mean is 1, the arithmetic mean 1.167, and two thirds are at least 1", () => {
  assert.deepEqual(valuesOf(leaf({})), [["", 1]]);
  assert.deepEqual(valuesOf(leaf({ over: "mean" })), [["", 1.167]]);
  assert.deepEqual(valuesOf(leaf({ over: { count: { atLeast: 1 } } })), [["", 48]]);
});

test("savedPercent is refused in a ratio; the message names speedup instead", () => {
  const saved = { of: "savedPercent", comparison: "1" };
  const says = (quantity: unknown) =>
    claimSchema.safeParse({ says: "It saves more.", quantity }).error?.issues[0]?.message;
  assert.equal(says(saved), undefined);
  assert.match(says({ ratio: [saved, saved] })!, /^savedPercent cannot be in a ratio or difference; speedup can$/);
});

test("with `by`, a claim has a number for each value of the axis; with `ratio`, it has the quotient of two quantities", () => {
  assert.deepEqual(valuesOf(leaf({ by: "page" })), [
    ["A", 2],
    ["B", 0.5],
    ["C", 1],
  ]);
  assert.deepEqual(valuesOf(leaf({ of: "savedPercent", by: "page" })), [
    ["A", 50],
    ["B", -100],
    ["C", 0],
  ]);
  assert.deepEqual(valuesOf({ ratio: [leaf({ where: { page: ["A"] } }), leaf({ where: { page: ["B"] } })] }), [
    ["", 4],
  ]);
  assert.throws(() => numbersOf(leaf({ comparison: "9" }), measured), /unknown comparison 9; known: 1, 2, 3/);
});

test("if a run lacks loads of some scenarios, averages over these scenarios are unknown, and all other averages are computed", () => {
  const ofSome = loads.filter(({ condition }) => !condition.startsWith("B/"));
  const counted = countLoads(ofSome, { conditions: planned, loadsPerCondition: 6, metric: "pageLoadMs" });
  const part = { ...measured, samplesOf: () => counted.samples };
  const numbers = [
    leaf({}),
    leaf({ by: "page" }),
    { ratio: [leaf({ where: { page: ["A"] } }), leaf({})] as [Leaf, Leaf] },
  ];
  assert.deepEqual(
    numbers.flatMap((quantity) => numbersOf(quantity, part).map(({ value, noInterval }) => value ?? noInterval)),
    ["no loads in 24 of 72 scenarios", 2, "no loads in 24 of 24 scenarios", 1, "no loads in 24 of 72 scenarios"],
  );
});

test("the interval of a minimum or a count is computed from the ends of the intervals of all scenarios", () => {
  const [slowest] = numbersOf(leaf({ over: "minimum" }), measured);
  assert.ok(slowest!.interval!.low <= 0.5 && slowest!.interval!.high >= 0.5, JSON.stringify(slowest));
  const [faster] = numbersOf(leaf({ over: { count: { atLeast: 1 } } }), measured);
  assert.deepEqual(faster!.interval, { low: 48, high: 48 }, "each block has the same speedups");
});

const published: Published = {
  source: "a draft of 2012",
  document: "the draft",
  tables: { 5: { A: { 1: { max: 4.1, mean: 2, min: null }, average: { max: null, mean: 1, min: null } } } },
  summaries: {},
};

test("each number of a published cell gives a claim, and a mean that is not 1.0 gives another claim: that it is above or below 1", () => {
  const claims = publishedClaims({ published }, measured);
  assert.deepEqual(
    Object.entries(claims).map(([id, { holds, published }]) => [id, published, holds]),
    [
      ["table 5, page A x servers 1: the mean: value", 2, "within 0.05 of the published"],
      ["table 5, page A x servers 1: the mean: direction", 2, "above 1"],
      ["table 5, page A x servers 1: the maximum: value", 4.1, "within 0.05 of the published"],
      ["table 5, page A x servers average: the mean: value", 1, "within 0.05 of the published"],
    ],
  );
  const verdicts = Object.values(claims).map((claim) =>
    numbersOf(claim.quantity, measured).map((number) => verdictOf(claim, number)),
  );
  assert.deepEqual(verdicts, [["holds"], ["holds"], ["does not hold"], ["does not hold"]]);
});

test('corrected for the number of claims, a verdict stays the same or becomes "cannot tell"; a score leaves out the lab\'s own claims', () => {
  const rows = scoreOf([readClaims("fairness")!]);
  assert.ok(rows.length > 4 && rows.every(({ document }) => document === "IMC 2011"));
  assert.ok(rows.every(({ verdict, corrected }) => corrected === verdict || corrected === "cannot tell"));
  const [plain, corrected] = [tally(rows, "verdict"), tally(rows, "corrected")];
  assert.equal(plain.holds + plain["does not hold"] + plain["cannot tell"], rows.length);
  assert.ok(corrected["cannot tell"] >= plain["cannot tell"]);
});

test("a claim holds if the interval is inside the allowed range, does not hold if it is outside, and is otherwise undecided", () => {
  assert.equal(verdictOf(claim("above 1"), number(1.1, 1.3)), "holds");
  assert.equal(verdictOf(claim("above 1"), number(0.7, 0.9)), "does not hold");
  assert.equal(verdictOf(claim("above 1"), number(0.9, 1.1)), "cannot tell");
  assert.equal(verdictOf(claim("within 10% of the published", 2), number(1.9, 2.1)), "holds");
  assert.equal(verdictOf(claim("within 0.5 of the published", 2), number(1.4, 2.1)), "cannot tell");
  assert.equal(verdictOf(claim("from 1 to 2"), number(3, 4)), "does not hold");
});

test("if an end of an interval would round to the limit, all numbers are printed with more digits", () => {
  const shown = (low: number, high: number) => valueText(claim("below 1"), number(low, high));
  assert.equal(shown(0.9, 0.98), "0.94 (0.90 to 0.98)");
  assert.equal(shown(0.92, 0.998), "0.959 (0.920 to 0.998)");
  assert.equal(shown(0.9, 1.004), "0.952 (0.900 to 1.004)");
  assert.equal(shown(0.9, 1), "0.95 (0.90 to 1.00)", "on the limit");
  assert.equal(shown(0.9, 0.99999999), "0.95000 (0.90000 to 0.99999)", "below the limit, and printed below it");
  assert.equal(
    valueText({ ...claim("above 1"), holds: undefined }, number(1.001, 1.201)),
    "1.101 (1.001 to 1.201)",
    "a ratio without a rule",
  );
});

test('the verdict on a number without an interval is "cannot tell"', () => {
  const few = { ...number(2, 2), interval: null, noInterval: "1 block" };
  assert.equal(verdictOf(claim("above 1"), few), "cannot tell");
});

test("a claim's quantity can name another run; a ratio can divide the other run's number by the number of the claim's own run", () => {
  const where = { page: ["A"] };
  const [other] = numbersOf({ ...leaf({ of: "value", where }), run: "block" }, measured);
  const [ratio] = numbersOf(
    { ratio: [{ ...leaf({ of: "value", where }), run: "block" }, leaf({ of: "value", where })] },
    measured,
  );
  const [own] = numbersOf(leaf({ of: "value", where }), measured);
  assert.equal(ratio!.value, other!.value! / own!.value!);
  assert.notEqual(other!.value, own!.value);
});

test("a comparison of both clocks counts equal verdicts, and lists opposite verdicts and verdicts that are decided on only one clock", () => {
  const row = (id: string, clock: ScoreRow["clock"], verdict: ScoreRow["verdict"]) =>
    ({ experiment: "x", id, number: { key: "" }, clock, verdict }) as ScoreRow;
  const rows = [
    [row("a", "real", "holds"), row("a", "virtual", "holds")],
    [row("b", "real", "holds"), row("b", "virtual", "does not hold")],
    [row("c", "real", "cannot tell"), row("c", "virtual", "holds")],
    [row("d", "real", "cannot tell"), row("d", "virtual", "cannot tell")],
    [row("e", "real", "holds")],
  ];
  const { alike, opposite, onlyOne } = clocksAgree(rows.flat());
  assert.equal(alike, 1);
  assert.deepEqual(
    [opposite, onlyOne].map((pairs) => pairs.map(([real, virtual]) => [real.id, real.clock, virtual.clock])),
    [[["b", "real", "virtual"]], [["c", "real", "virtual"]]],
  );
});

test("claims can reuse the published tables and the claims of another experiment", () => {
  const [draft, spdy2] = ["spdy-initcwnd", "spdy2-matrix"].map((name) => readClaims(name)!);
  assert.ok(draft?.published && draft.claims["page-a"]);
  assert.deepEqual(spdy2?.published, draft.published);
  assert.deepEqual(spdy2?.claims["page-a"], draft.claims["page-a"]);
});
