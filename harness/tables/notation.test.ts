import assert from "node:assert/strict";
import { test } from "node:test";
import type { Values } from "../../schema/plan.ts";
import { notation } from "./notation.ts";
import type { Speedup } from "./speedups.ts";
import { conditions } from "./synthetic-loads.fixture.ts";

const links = ["10x1", "20x2"].flatMap((rate) =>
  ["20ms", "100ms"].flatMap((rtt) => ["0%", "1%"].map((loss) => `${rate}-${rtt}-${loss}`)),
);

function notationOf(speedupIn: (condition: Values) => number | null, extreme: "max" | "min", axes = {}): string {
  const speedups = conditions({
    page: ["A", "B", "C"],
    servers: [1, 2, 4],
    link: links,
    protocol: ["h2"],
    ...axes,
  }).map(
    ({ values, fields }): Speedup => ({
      comparison: "1",
      scenario: values,
      baselineLoads: 1,
      optionLoads: 1,
      plannedLoads: 2,
      flaggedLoads: 0,
      baselineMedianMs: 1,
      optionMedianMs: 1,
      bound: null,
      interval: null,
      speedup: speedupIn(fields),
    }),
  );
  const known = speedups.flatMap(({ speedup }) => (speedup === null ? [] : [speedup]));
  const value = extreme === "max" ? Math.max(...known) : Math.min(...known);
  return notation(speedups, speedups.find(({ speedup }) => speedup === value)!, [
    "page",
    "servers",
    "down",
    "rtt",
    "loss",
  ]);
}
const isBest = ({ page, servers, downMbps, rttMs, lossPercent }: Values) =>
  page === "A" && servers === 1 && downMbps === 10 && rttMs === 100 && lossPercent === 0;

test("the scenario of a speedup is written as (page,servers,rate,rtt,loss), as for SPDY's best speedup in the paper's Table 11", () => {
  assert.equal(
    notationOf((condition) => (isBest(condition) ? 4.1 : 1), "max"),
    "(A,1,10,100,0)",
  );
});

test("an axis is written as x if all its values give the same printed speedup, as for SPDY's worst speedup in the paper's Table 11", () => {
  const worst = ({ page, servers, lossPercent, rttMs }: Values) =>
    page === "C" && servers === 1 && lossPercent === 1 ? 0.3 + Number(rttMs) / 10_000 : 1;
  assert.equal(notationOf(worst, "min"), "(C,1,x,x,1)");
});

test("an axis is not written as x if one of its values gives another speedup, or has no data", () => {
  const worst =
    (other: number | null) =>
    ({ page, servers, lossPercent, rttMs, downMbps }: Values) =>
      page === "C" && servers === 1 && lossPercent === 1 ? (rttMs === 20 && downMbps === 10 ? other : 0.3) : 1;
  assert.equal(notationOf(worst(0.4), "min"), "(C,1,x,100,1)");
  assert.equal(notationOf(worst(null), "min"), "(C,1,x,100,1)");
});

test("the notation includes an axis that varies in addition to the paper's five; an axis with one value is not printed as x", () => {
  const best = (condition: Values) => (isBest(condition) && condition.server === "caddy" ? 4.1 : 1);
  assert.equal(notationOf(best, "max", { server: ["nginx", "caddy"] }), "(A,1,10,100,0,caddy)");
  assert.equal(
    notationOf(() => 1, "max", { page: ["A"] }),
    "(A,x,x,x,x)",
  );
});
