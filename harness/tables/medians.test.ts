import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries } from "../../axes/registries.ts";
import { axisNamed } from "../../axes/registry.ts";
import { conditionsOf } from "../plan/conditions.ts";
import { trialOf } from "../plan/trial.ts";
import type { CountedLoad } from "./counted.ts";
import { bothEnds } from "./format.ts";
import { renderMarkdown } from "./markdown.ts";
import { buildTables } from "./report.ts";

const registries = readRegistries();
const values = { protocol: ["h1", "h2"], link: ["Cable", "4G"] };
const given = Object.entries(values).map(([name, all]) => ({ axis: axisNamed(name, "test"), values: all }));
const experiment = { ...trialOf(given, registries), loads: 6 };
const conditions = conditionsOf(experiment, registries);
const msOf: Record<string, number> = { "Cable h1": 1000, "Cable h2": 500, "4G h1": 3000, "4G h2": 4000 };
const loads = [1, 2, 3, 4, 5, 6].flatMap((block) =>
  conditions.map(({ id, values: { link, protocol } }): CountedLoad => {
    const pageLoadMs = msOf[`${link} ${protocol}`]! + block;
    return { condition: id, block, attempt: 1, observed: "time", metrics: { pageLoadMs }, marked: false };
  }),
);
const report = (some: CountedLoad[]) => buildTables(some, experiment, null, { clock: "virtual", conditions });

test("a row for each scenario has the baseline's median, the option's, and the speedup with its interval", () => {
  const text = renderMarkdown(report(loads));
  assert.match(text, /\| link +\| h1, ms \| h2, ms \| +speedup \|/);
  assert.match(text, /\| Cable +\| +1004 \| +504 \| +1\.99 \[1\.9\d to [12]\.\d\d\] \|/);
  assert.match(text, /\| 4G +\| +3004 \| +4004 \| +0\.75 \[0\.75 to 0\.75\] \|/);
  assert.match(text, /Everywhere: page A, servers 1, initcwnd 10\./);
  assert.match(text, /In brackets: the 95% interval, from a bootstrap/);
  assert.doesNotMatch(text, /maximum, mean, minimum/);
});

test("a speedup from fewer loads than planned is marked with †, and an unknown number is a dash", () => {
  const some = loads.filter(({ condition, block }) => block < 3 && !condition.includes("170ms-0%/h2"));
  const text = renderMarkdown(report(some));
  assert.match(text, /\| Cable +\| +1002 \| +502 \| +2\.00† \|/);
  assert.match(text, /\| 4G +\| +3002 \| +– \| +– \|/);
  assert.match(text, /† 4 of 12 loads: Cable, h2/);
});

test("an interval is printed with both ends, or with the known end if the other end is open", () => {
  assert.equal(bothEnds({ low: 0.12, high: 2.64 }), " [0.12 to 2.64]");
  assert.equal(bothEnds({ low: 1.5, high: Infinity }), " [≥1.50]");
  assert.equal(bothEnds({ low: 0, high: 0.5 }), " [≤0.50]");
  assert.equal(bothEnds({ low: -3, high: 2 }, -Infinity), " [-3.00 to 2.00]");
  assert.equal(bothEnds(null), "");
});
