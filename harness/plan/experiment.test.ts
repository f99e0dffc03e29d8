import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { listExperiments, readExperiment } from "./experiment.ts";

test("a file with only title, loads, axes, baseline and comparisons is a valid experiment, whose default table shows medians", () => {
  const folder = mkdtempSync("/tmp/experiments-test-");
  const text = `title: Mine
loads: 3
axes: {page: [A], servers: [1, 2], link: [Cable], protocol: [h1, h2], initcwnd: [10]}
baseline: {protocol: h1}
comparisons: {two: {title: HTTP/2, option: {protocol: h2}}}
`;
  writeFileSync(`${folder}/mine.yml`, text);
  const { seed, source, tables, timeoutSeconds } = readExperiment("mine", folder);
  assert.deepEqual([seed, source, timeoutSeconds], [1, "this lab", 120]);
  assert.deepEqual(tables, [{ id: "1", title: "Mine", medians: ["two"] }]);
  writeFileSync(`${folder}/mine.yml`, text.replace("loads: 3\n", ""));
  assert.throws(() => readExperiment("mine", folder), /mine\.yml: loads: it is missing; its type must be number/);
  rmSync(folder, { recursive: true });
});

const good = readFileSync("experiments/spdy-initcwnd.yml", "utf8");

const edits: Record<string, [string, string, RegExp]> = {
  "an unknown key": ["seed: 1", "seed: 1\ncolour: red", /experiments-test.*bad\.yml: Unrecognized key: "colour"/],
  "an unknown axis": ["  page: [A, B, C]", "  page: [A, B, C]\n  moon: [1]", /axes: Unrecognized key: "moon"/],
  "an axis without values": ["initcwnd: [3, 10]", "initcwnd: []", /axes\.initcwnd: /],
  "a page that does not exist": ["page: [A, B, C]", "page: [A, Z]", /axes\.page: unknown page "Z"; known: A, B, C/],
  "more hosts than compose.yml has": [
    "servers: [1, 2, 4]",
    "servers: [5]",
    /axes\.servers: unknown servers "5"; known: 1, 2, 3, 4/,
  ],
  "a link that does not exist": ["- 10x1-20ms-0%", "- 56k", /axes\.link: unknown link "56k"; known: 10x1-20ms-0%/],
  "a value given twice": ["protocol: [h1, h2]", "protocol: [h1, h1]", /axes\.protocol: "h1" is given twice/],
  "a congestion control that does not exist": [
    "initcwnd: [3, 10]",
    "initcwnd: [3, 10]\n  congestion: [vegas]",
    /axes\.congestion\.0: /,
  ],
  "rows of `together` that name different axes": [
    "baseline:",
    "together: [{loss: 1 %}, {rtt: 20 ms}]\nbaseline:",
    /together\.1: names rtt; the first row names loss/,
  ],
  "a row of `together` that names an axis of `axes`": [
    "baseline:",
    "together: [{initcwnd: 3}]\nbaseline:",
    /together\.0\.initcwnd: initcwnd is in axes already/,
  ],
  "a timeout without a unit": ["timeout: 120 s", "timeout: 120", /timeout/],
  "an initial window of no packets": ["initcwnd: [3, 10]", "initcwnd: [0]", /axes\.initcwnd\.0: /],
  "a table of a comparison that does not exist": ["comparison: 1, rows: page", "comparison: 7, rows: page", /7/],
  "a figure of a comparison that does not exist": [
    "x: link, panels: page",
    "x: link, comparisons: [7]",
    /figures\.5\.comparisons: unknown comparison 7; known: 1, 2, 3/,
  ],
  "a figure of an axis that does not exist": ["x: link, panels: page", "x: moon", /figures\.5\.x: unknown axis "moon"/],
  "a figure with an unknown key": [
    "x: link, panels: page",
    "x: link, colour: red",
    /figures\.5: Unrecognized key: "colour"/,
  ],
  "a figure of a table that does not exist": [
    "table: 6a, x: rtt",
    "table: 6z, x: rtt",
    /figures\.1\.table: unknown table of cells 6z/,
  ],
  "a figure with other axes than its table": [
    "table: 6a, x: rtt",
    "table: 6a, x: page",
    /table 6a has the axes rate and rtt, but the figure has page and rate/,
  ],
  "a figure whose id cannot be a file name": ["id: speedups-by-link", "id: a/b", /figures\.5\.id: letters, digits/],
};
for (const [what, [from, to, message]] of Object.entries(edits))
  test(`an experiment with ${what} is refused`, () => {
    const folder = mkdtempSync("/tmp/experiments-test-");
    try {
      assert.ok(good.includes(from));
      writeFileSync(`${folder}/bad.yml`, good.replace(from, to));
      assert.throws(() => readExperiment("bad", folder), { name: "LabError", message });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

test("claims files are not experiments", () => assert.ok(listExperiments().every((name) => !name.includes("claims"))));
