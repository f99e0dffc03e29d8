import assert from "node:assert/strict";
import { test } from "node:test";
import { casesSchema, comparisonProblems, tablesSchema } from "./comparisons.ts";
import { readExperiment } from "./experiment.ts";

const paperExperiment = readExperiment("spdy-initcwnd");

const grid = { id: "5", title: "T", case: 1, rows: "page", columns: "servers" };
const messages = (tables: unknown[]): string[] =>
  tablesSchema.safeParse(tables).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];

test("the paper's experiment is valid: its 13 tables, case ids as text, filters as lists", () => {
  assert.equal(paperExperiment.tables.length, 13);
  assert.deepEqual(comparisonProblems(paperExperiment), []);
  assert.deepEqual(paperExperiment.tables[1], {
    id: "6a",
    title: "Channel Impact on SPDY Gain (0% PLR)",
    case: "1",
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

test("unknown keys and axes are errors that name them, in either kind of table", () => {
  assert.match(messages([{ ...grid, colums: "rtt" }]).join(), /^0: .*"colums"/);
  assert.match(
    messages([grid, { ...grid, rows: "pages" }]).join(),
    /^1\.rows: there is no axis "pages"; there is: page, servers, link, rate/,
  );
  assert.match(messages([{ ...grid, where: { plr: 0 } }]).join(), /^0\.where: .*"plr"/);
  assert.match(messages([{ ...grid, where: { loss: "0" } }]).join(), /^0\.where\.loss.*"0" is not a value like "1 %"/);
  assert.match(messages([{ id: "11", title: "S", summary: [1], rows: "page" }]).join(), /^0: .*"rows"/);
});

test("bases and options take axes only", () => {
  const parse = (base: unknown, option: unknown) =>
    casesSchema.safeParse({ base, cases: { 1: { title: "T", option } } });
  assert.ok(parse({ protocol: "h1", initcwnd: 3 }, { protocol: "h2" }).success);
  assert.ok(!parse({ protcol: "h1" }, { protocol: "h2" }).success);
  assert.ok(!parse({ initcwnd: "3.5" }, { initcwnd: 10 }).success);
  assert.ok(!parse({}, {}).success);
});

test("references between base, cases and tables are checked", () => {
  const problems = (change: object): string =>
    comparisonProblems({
      base: { protocol: "h1" },
      cases: { 1: { title: "T", option: { protocol: "h2" } } },
      tables: [],
      ...change,
    })
      .map(({ path, message }) => `${path.join(".")}: ${message}`)
      .join("\n");
  const table = { id: "5", title: "T", case: "1", rows: "page", columns: "servers" };
  assert.equal(problems({ tables: [table] }), "");
  assert.match(
    problems({ cases: { 1: { title: "T", option: { server: "caddy" } } } }),
    /cases\.1\.option\.server.*base has protocol/,
  );
  assert.match(problems({ tables: [{ ...table, case: "7" }] }), /no case 7; there are 1/);
  assert.match(problems({ tables: [{ id: "11", title: "S", summary: ["1", "8"] }] }), /no case 8/);
  assert.match(problems({ tables: [table, table] }), /two tables have the id 5/);
  assert.match(problems({ tables: [{ ...table, rows: "protocol" }] }), /protocol is what the cases change/);
  assert.match(
    problems({ base: { link: "x" }, cases: {}, tables: [{ ...table, rows: "rtt" }] }),
    /rtt is what the cases change/,
  );
  assert.match(problems({ tables: [{ ...table, columns: "page" }] }), /page is in the rows already/);
});
