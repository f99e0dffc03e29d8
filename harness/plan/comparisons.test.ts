import assert from "node:assert/strict";
import { test } from "node:test";
import { comparisonProblems } from "./comparison-problems.ts";
import { comparisonsSchema, tablesSchema } from "./comparisons.ts";
import { readExperiment } from "./experiment.ts";

const paperExperiment = readExperiment("spdy-initcwnd");

const grid = { id: "5", title: "T", comparison: 1, rows: "page", columns: "servers" };
const messages = (tables: unknown[]): string[] =>
  tablesSchema.safeParse(tables).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];

test("the paper's experiment file is valid and has 13 tables; ids are read as text, and filters as lists", () => {
  assert.equal(paperExperiment.tables.length, 13);
  assert.deepEqual(comparisonProblems(paperExperiment), []);
  assert.deepEqual(paperExperiment.tables[1], {
    id: "6a",
    title: "Channel Impact on SPDY Gain (0% PLR)",
    comparison: "1",
    rows: "rate",
    columns: "rtt",
    where: { loss: [0] },
  });
  assert.deepEqual(paperExperiment.tables[12], {
    id: "11",
    title: "Summary of Results",
    summary: ["1", "2", "3"],
    subset: { page: ["A", "B"], loss: [0] },
    notation: ["page", "servers", "down", "rtt", "loss"],
  });
});

test("an unknown key or axis in a table is refused, and the message names it", () => {
  assert.match(messages([{ ...grid, colums: "rtt" }]).join(), /^0: .*"colums"/);
  assert.match(
    messages([grid, { ...grid, rows: "pages" }]).join(),
    /^1\.rows: unknown axis "pages"; known: page, document, servers, link, rate/,
  );
  assert.match(messages([{ ...grid, where: { plr: 0 } }]).join(), /^0\.where: .*"plr"/);
  assert.match(
    messages([{ ...grid, where: { loss: "zero" } }]).join(),
    /^0\.where\.loss.*"zero" is not a value like "1 %"/,
  );
  assert.match(messages([{ id: "11", title: "S", summary: [1], rows: "page" }]).join(), /^0: .*"rows"/);
});

test("a baseline with an unknown axis or an invalid value is refused, and so are a baseline and an option without axes", () => {
  const parse = (baseline: unknown, option: unknown) =>
    comparisonsSchema.safeParse({ baseline, comparisons: { 1: { title: "T", option } } });
  assert.ok(parse({ protocol: "h1", initcwnd: 3 }, { protocol: "h2" }).success);
  assert.ok(!parse({ protcol: "h1" }, { protocol: "h2" }).success);
  assert.ok(!parse({ initcwnd: "3.5" }, { initcwnd: 10 }).success);
  assert.ok(!parse({}, { protocol: "h2" }).success);
  assert.ok(!parse({ protocol: "h1" }, {}).success);
});

test("wrong references between baseline, comparisons and tables are reported", () => {
  const problems = (change: object): string =>
    comparisonProblems({
      baseline: { protocol: "h1" },
      comparisons: { 1: { title: "T", option: { protocol: "h2" } } },
      tables: [],
      ...change,
    })
      .map(({ path, message }) => `${path.join(".")}: ${message}`)
      .join("\n");
  const table = { id: "5", title: "T", comparison: "1", rows: "page", columns: "servers" };
  assert.equal(problems({ tables: [table] }), "");
  assert.match(
    problems({ comparisons: { 1: { title: "T", option: { server: "caddy" } } } }),
    /comparisons\.1\.option\.server.*it has values of protocol/,
  );
  assert.match(problems({ tables: [{ ...table, comparison: "7" }] }), /unknown comparison 7; known: 1/);
  assert.match(problems({ tables: [{ id: "11", title: "S", summary: ["1", "8"] }] }), /unknown comparison 8/);
  assert.match(problems({ tables: [table, table] }), /two tables have the id 5/);
  assert.match(problems({ tables: [{ ...table, rows: "protocol" }] }), /protocol is changed by the comparisons/);
  assert.match(
    problems({ baseline: { link: "x" }, comparisons: {}, tables: [{ ...table, rows: "rtt" }] }),
    /rtt is changed by the comparisons/,
  );
  assert.match(problems({ tables: [{ ...table, columns: "page" }] }), /page is in the rows already/);
});
