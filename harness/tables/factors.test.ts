/** Tests tables of two factors, here protocol and initcwnd; a comparison may change one of them or both. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { comparisonProblems } from "../plan/comparison-problems.ts";
import { tablesSchema } from "../plan/comparisons.ts";
import { renderMarkdown } from "./markdown.ts";
import { buildTables, type TabledExperiment } from "./report.ts";
import { conditions, run } from "./synthetic-loads.fixture.ts";

const planned = conditions({ protocol: ["h1", "h2"], initcwnd: [3, 10] });
/** h2 takes half of the time, initcwnd 10 saves 200 ms, and each block is 1 ms slower than the previous block. */
const loads = run(planned, 5, ({ protocol, initcwnd }, block) => {
  const ofProtocol = protocol === "h2" ? 1000 : 2000;
  return ofProtocol - (initcwnd === 10 ? 200 : 0) + block;
});

const experiment = {
  ...{ title: "Two factors", loads: 5, metric: "pageLoadMs", baseline: { protocol: "h1", initcwnd: 3 } },
  comparisons: {
    h2: { title: "h2", option: { protocol: "h2" } },
    window: { title: "a window of 10", option: { initcwnd: 10 } },
    both: { title: "h2, a window of 10", option: { protocol: "h2", initcwnd: 10 } },
  },
};
const asked = (...tables: object[]): TabledExperiment => ({ ...experiment, tables: tablesSchema.parse(tables) });
const table = { id: "1", title: "Both", rows: "protocol", columns: "initcwnd" };
const linesOf = (one: TabledExperiment) =>
  renderMarkdown(buildTables(loads, one, null, { clock: "virtual", conditions: planned }))
    .split("\n")
    .filter((line) => /^\| /.test(line));

test("in a table of values, each value is in the row of its protocol and the column of its initcwnd, with both ends of the interval", () => {
  const lines = linesOf(asked({ ...table, cells: "value" }));
  assert.match(lines[0]!, /initcwnd 3 \| +initcwnd 10 \|/);
  assert.match(lines[2]!, /\| h1 +\| 2003 \[200\d to 200\d\] \| 1803 \[180\d to 180\d\] \|/);
  assert.match(lines[3]!, /\| h2 +\| 1003 \[100\d to 100\d\] \| +803 \[80\d to 80\d\] \|/);
});

test("in a table of speedups, each speedup is in the cell of the option's protocol and initcwnd; the baseline's cell is marked as baseline", () => {
  const lines = linesOf(asked({ ...table, cells: "speedup" }));
  assert.match(lines[2]!, /\| h1 +\| +baseline \| 1\.11 \[1\.\d\d to 1\.\d\d\] \|/);
  assert.match(lines[3]!, /\| h2 +\| 2\.00 \[\d\.\d\d to 2\.\d\d\] \| 2\.49 \[2\.\d\d to 2\.5\d\] \|/);
});

test("a comparison can have another baseline than the experiment's", () => {
  const own = {
    title: "h2, by a window of 10",
    baseline: { protocol: "h1", initcwnd: 10 },
    option: { protocol: "h2" },
  };
  const one = { ...asked({ ...table, cells: "speedup", comparisons: ["h2", "own"] }) };
  const lines = linesOf({ ...one, comparisons: { ...experiment.comparisons, own } });
  assert.match(lines[2]!, /\| h1 +\| +baseline \| +baseline \|/);
  assert.match(lines[3]!, /\| h2 +\| 2\.00 \[.*\] \| 2\.25 \[.*\] \|/);
});

test("a table that cannot be shown is refused, with the reason", () => {
  const problemsOf = (...tables: object[]) => comparisonProblems(asked(...tables)).map(({ message }) => message);
  const apart = { ...experiment.comparisons, again: { title: "h2 again", option: { protocol: "h2" } } };
  const twice = comparisonProblems({ ...asked({ ...table, cells: "speedup" }), comparisons: apart });
  assert.match(
    twice[0]!.message,
    /h2 and again would have the same cells: their options differ in neither protocol nor initcwnd/,
  );
  assert.match(problemsOf({ ...table, cells: "value", comparisons: ["h2"] })[0]!, /leave them out/);
  assert.match(problemsOf({ ...table, cells: "speedup", comparisons: ["h9"] })[0]!, /unknown comparison h9; known: h2/);
  assert.match(problemsOf({ ...table, columns: "protocol", cells: "value" })[0]!, /protocol is in the rows already/);
  assert.match(
    problemsOf({ ...table, comparison: "h2" })[0]!,
    /protocol is changed by the comparisons.*cells: speedup/,
  );
  assert.throws(() => tablesSchema.parse([{ ...table, cells: "gain" }]));
  const own = { ...apart.again, baseline: { protocol: "h1", initcwnd: 10 } };
  const medians = asked({ id: "1", title: "Medians", medians: ["h2", "own"] });
  assert.match(
    comparisonProblems({ ...medians, comparisons: { ...experiment.comparisons, own } })[0]!.message,
    /these comparisons have different baselines/,
  );
});
