import assert from "node:assert/strict";
import { test } from "node:test";
import { type Published, publishedSchema } from "../plan/published.ts";
import { renderMarkdown } from "./markdown.ts";
import { buildTables, type TabledExperiment } from "./report.ts";
import { conditions, okLoad, run } from "./synthetic-loads.fixture.ts";

const planned = conditions({ page: ["A", "C"], servers: [1, 2], link: ["10x1-20ms-0%", "10x1-100ms-0%"] });
const experiment: TabledExperiment = {
  title: "Small",
  loads: 5,
  metric: "pageLoadMs",
  baseline: { protocol: "h1" },
  comparisons: { 1: { title: "SPDY", option: { protocol: "h2" } } },
  tables: [
    { id: "5", title: "Website Impact on SPDY Gain", comparison: "1", rows: "page", columns: "servers" },
    { id: "6a", title: "Channel Impact (0% PLR)", comparison: "1", rows: "rate", columns: "rtt", where: { loss: [0] } },
    {
      id: "11",
      title: "Summary of Results",
      summary: ["1"],
      subset: { page: ["A"], loss: [0] },
      notation: ["page", "servers", "down", "rtt", "loss"],
    },
  ],
};
const published: Published = publishedSchema.parse({
  source: "the paper",
  document: "the paper",
  tables: {
    5: { A: { 1: [4.1, 2.4, null], 2: [1.8, 1.3, 1.1], average: [4.1, 1.7, 1.1] }, C: { 1: [1.6, 1.3, 1.1], 2: null } },
  },
  summaries: {
    11: {
      1: {
        best: { speedup: 4.1, condition: "(A,1,10,100,0)" },
        average: 1.2,
        worst: null,
        atLeast1: { count: 40, of: 72 },
        atLeast2: null,
        subsetAverage: 1.8,
      },
    },
  },
});

/** Page A's speedup is 4 with 1 server and 100 ms, else 1.5. Page C's speedup is 0.5, but in blocks 4 and 5 its option is 10% slower. */
const loads = run(planned, 5, ({ page, servers, rttMs, protocol }, block) => {
  if (protocol === "h1") return 1200;
  if (page === "C") return block < 4 ? 2400 : 2640;
  return servers === 1 && rttMs === 100 ? 300 : 800;
});

test("each cell's maximum, mean and minimum have the paper's numbers in parentheses; footnotes name the cells that lack loads", () => {
  const report = buildTables(loads.slice(0, -1), experiment, published, { clock: "virtual", conditions: planned });
  assert.equal(
    renderMarkdown(report),
    `# Small

5 blocks, 79 of 80 loads, 0 failed attempts; virtual clock.

A comparison has two sides, the baseline and the option; a scenario is what both sides share, such as the page and the link.
Speedup = median page load time of the baseline / of the option, in one scenario: above 1 the option is faster.
A cell has the maximum, mean, minimum and geometric mean of its scenarios' speedups. Conclusions rest on the geometric mean: of the
speedups 2 and 1/2 it is 1, while the mean is 1.25. The maximum of many uncertain speedups is too high, their minimum too low.
In brackets: the 95% interval of the geometric mean, from a bootstrap over blocks (docs/statistics.md).
In parentheses: the value in the paper; – is unknown.
Each condition's median, spread and number of loads: [conditions.md](conditions.md), which ./lab tables --write creates.

## Table 5. Website Impact on SPDY Gain

|         |            |            1 server |           2 servers |             average |
| :------ | :--------- | ------------------: | ------------------: | ------------------: |
| Page A  | max        |           4.0 (4.1) |           1.5 (1.8) |           4.0 (4.1) |
|         | mean       |           2.8 (2.4) |           1.5 (1.3) |           2.1 (1.7) |
|         | min        |             1.5 (–) |           1.5 (1.1) |           1.5 (1.1) |
|         | geom. mean | 2.45 [2.45 to 2.45] | 1.50 [1.50 to 1.50] | 1.92 [1.92 to 1.92] |
| Page C  | max        |           0.5 (1.6) |            0.5† (–) |            0.5† (–) |
|         | mean       |           0.5 (1.3) |            0.5† (–) |            0.5† (–) |
|         | min        |           0.5 (1.1) |            0.5† (–) |            0.5† (–) |
|         | geom. mean | 0.50 [0.44 to 0.57] |               0.50† |               0.50† |
| average | max        |             4.0 (–) |            1.5† (–) |            4.0† (–) |
|         | mean       |             1.6 (–) |            1.0† (–) |            1.3† (–) |
|         | min        |             0.5 (–) |            0.5† (–) |            0.5† (–) |
|         | geom. mean | 1.11 [1.03 to 1.19] |               0.87† |               0.98† |

† 19 of 20 loads: Page C, 2 servers

## Table 6a. Channel Impact (0% PLR)

| 0% PLR  |            |                20ms |    100ms |  average |
| :------ | :--------- | ------------------: | -------: | -------: |
| 10/1    | max        |             1.5 (–) | 4.0† (–) | 4.0† (–) |
|         | mean       |             1.0 (–) | 1.6† (–) | 1.3† (–) |
|         | min        |             0.5 (–) | 0.5† (–) | 0.5† (–) |
|         | geom. mean | 0.87 [0.81 to 0.93] |    1.11† |    0.98† |
| average | max        |             1.5 (–) | 4.0† (–) | 4.0† (–) |
|         | mean       |             1.0 (–) | 1.6† (–) | 1.3† (–) |
|         | min        |             0.5 (–) | 0.5† (–) | 0.5† (–) |
|         | geom. mean | 0.87 [0.81 to 0.93] |    1.11† |    0.98† |

† 39 of 40 loads: 10/1, 100ms

## Table 11. Summary of Results

|                                  |       |   Comparison 1 SPDY |
| :------------------------------- | :---- | ------------------: |
| Best speedup                     | ours  | 4.0† (A,1,10,100,0) |
|                                  | paper |  4.1 (A,1,10,100,0) |
| Average speedup                  | ours  |                1.3† |
|                                  | paper |                 1.2 |
| Geometric mean                   | ours  |               0.98† |
|                                  | paper |                   – |
| Worst speedup                    | ours  |   0.5† (C,x,10,x,0) |
|                                  | paper |                   – |
| Scenarios with speedup >= 1      | ours  |        4 of 8 (50%) |
|                                  | paper |      40 of 72 (56%) |
| Scenarios with speedup >= 2      | ours  |        1 of 8 (13%) |
|                                  | paper |                   – |
| Average speedup (Page A, 0% PLR) | ours  |                 2.1 |
|                                  | paper |                 1.8 |
| Geometric mean (Page A, 0% PLR)  | ours  | 1.92 [1.92 to 1.92] |
|                                  | paper |                   – |

† 79 of 80 loads: Comparison 1 SPDY

## Cells whose geometric mean and published mean are on different sides of 1

- Table 5, Page C, 1 server: 0.50 [0.44 to 0.57] (1.3)
`,
  );
});

test("without published values the tables do not mention a paper", () => {
  const text = renderMarkdown(buildTables(loads, experiment, null, { clock: "real", conditions: planned }));
  assert.match(text, /; real clock\./);
  assert.match(text, /\| Page A +\| max +\| +4\.0 \| +1\.5 \|/);
  assert.doesNotMatch(text, /\(–\)|paper|other way|†/);
});

test("if a run has other scenarios than the experiment, the tables say so, and only cells with unchanged scenarios have published values", () => {
  const some = planned.filter(({ values }) => values.servers === 1);
  const facts = { clock: "real", conditions: some, whole: planned } as const;
  const text = renderMarkdown(
    buildTables(
      run(some, 5, () => 100),
      experiment,
      published,
      facts,
    ),
  );
  assert.match(text, /a published value is printed only where a cell has the same scenarios/);
  assert.match(text, /\| Page A +\| max +\| +1\.0 \(4\.1\) \| +1\.0 \(–\) \|/);
});

test("for a run with a single load, the text says '1 of 80 loads', and tables have dashes for unknown numbers", () => {
  const text = renderMarkdown(
    buildTables([okLoad(planned[0]!, 100)], experiment, published, { clock: "real", conditions: planned }),
  );
  assert.match(text, /^1 block, 1 of 80 loads, 0 failed attempts; real clock\.$/m);
  assert.match(text, /\| Page A +\| max +\| +– \(4\.1\) \|/);
  assert.match(text, /† 1 of 20 loads, 2 of 2 scenarios lack loads of a side: Page A, 1 server/);
});

test("with fewer than five blocks there are no intervals, and the legend says so", () => {
  const facts = { clock: "real", conditions: planned } as const;
  const text = renderMarkdown(buildTables(loads.slice(0, 4 * planned.length), experiment, published, facts));
  assert.match(text, /^There are no intervals: 4 blocks are too few for a 95% interval: 5 are needed\.$/m);
  assert.doesNotMatch(text, /\[\d/);
});
