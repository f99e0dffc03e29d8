import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { expectedRequests, totalBytes } from "./generated-page.ts";
import { groupStats } from "./page-stats.ts";
import { describePage, listPages, loadGenerated, loadPage } from "./pages.ts";

/** Ranges of bytes, computed by hand, that round to the numbers in section 5.3.2.1.1 of the paper: [from, below]. */
const paper = {
  A: {
    resources: 102,
    total: [368_500, 369_500],
    html: 12_800,
    images: 100,
    min: [1250, 1350],
    mean: [2550, 2650],
    max: [5450, 5550],
    stddev: [1150, 1250],
  },
  B: {
    resources: 101,
    total: [1_350_000, 1_450_000],
    html: 8200,
    images: 100,
    min: [46, 47],
    mean: [13_500, 14_500],
    max: [102_500, 103_500],
    stddev: [23_500, 24_500],
  },
  C: {
    resources: 11,
    total: [2_950_000, 3_050_000],
    html: 800,
    images: 10,
    min: [297_500, 298_500],
    mean: [301_500, 302_500],
    max: [309_500, 310_500],
    stddev: [3500, 4500],
  },
};

const within = (value: number, [from, below]: number[], name: string) =>
  assert.ok(value >= (from ?? NaN) && value < (below ?? NaN), `${name}: ${value}`);

for (const [name, printed] of Object.entries(paper))
  test(`the sizes of page ${name} round to the figures printed in the paper`, () => {
    const page = loadGenerated(name);
    assert.equal(expectedRequests(page), printed.resources);
    assert.equal(page.html.bytes, printed.html);
    within(totalBytes(page), printed.total, "total");
    const sizesBytes = page.objects.filter(({ kind }) => kind === "image").map((object) => object.sizeBytes);
    assert.equal(sizesBytes.length, printed.images);
    const stats = groupStats(sizesBytes);
    for (const key of ["min", "mean", "max", "stddev"] as const) within(stats[key], printed[key], key);
    // The standard deviation with n - 1 rounds to the same number, so it does not matter which deviation the paper used.
    within(stats.stddev * Math.sqrt(sizesBytes.length / (sizesBytes.length - 1)), printed.stddev, "sample stddev");
  });

test("page B's image sizes are approximately log-uniform, and its images have all three formats", () => {
  const { solved, objects } = loadGenerated("B");
  assert.ok(Math.abs((solved[0]?.shape ?? NaN) - 1) < 0.05);
  assert.deepEqual([...new Set(objects.map((object) => object.kind === "image" && object.format))].sort(), [
    "gif",
    "jpeg",
    "png",
  ]);
});

test("page A's first object is its script library; its images are not sorted by size", () => {
  const { objects } = loadGenerated("A");
  assert.deepEqual(objects[0], {
    kind: "script",
    index: 1,
    file: "jquery.js",
    from: "jquery/dist/jquery.min.js",
    sizeBytes: 94_500,
  });
  const sizesBytes = objects.slice(1).map((object) => object.sizeBytes);
  assert.notDeepEqual(
    sizesBytes,
    sizesBytes.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(objects.map(({ file }) => file)).size, 101);
});

test("for ./lab list, describePage returns a page's name, title, number of requests and total bytes, and statistics of the images' sizes", () =>
  assert.deepEqual(describePage(loadGenerated("C")), {
    name: "C",
    title: "10 large images",
    resources: 11,
    bytes: 3_020_800,
    stats: "HTML 0.8 KB; 10 jpeg: min 298 KB, mean 302 KB, max 310 KB, stddev 4 KB",
  }));

const directory = mkdtempSync(join(tmpdir(), "pages-"));
after(() => rmSync(directory, { recursive: true }));

const good = {
  head: "title: Mine\nseed: 1\nhtml: 1 KB\n",
  images: "{count: 5, formats: [png], distribution: power, min: 1 KB, mean: 2.0 KB, max: 4 KB}",
};
function load(text: string) {
  mkdirSync(join(directory, "mine"), { recursive: true });
  writeFileSync(join(directory, "mine/page.yml"), text);
  return loadGenerated("mine", directory);
}

test("page.yml may give pictures log-normal sizes, or a list of sizes", () => {
  const page = load(
    `${good.head}images:
  - {count: 9, formats: [jpeg], distribution: log-normal, median: 12.0 KB, sigma: 1.3, max: 40 KB}
  - {formats: [png], distribution: list, sizes: [1 KB, 30 KB, 2 KB, 2 KB]}
`,
  );
  assert.deepEqual(page.solved[1]?.sizesBytes, [1000, 2000, 2000, 30_000]);
  assert.deepEqual([page.solved[0]?.sizesBytes[4], page.solved[0]?.sizesBytes.at(-1)], [12_000, 40_000]);
  assert.equal(expectedRequests(page), 14);
  assert.equal(
    describePage(page).stats,
    "HTML 1 KB; 9 jpeg: min 1.5 KB, mean 17.1 KB, max 40.0 KB, stddev 14.1 KB; 4 png: min 1 KB, mean 9 KB, max 30 KB, stddev 12 KB",
  );
});

test("a folder with a page.yml is a page, and an empty folder is refused with a message", () => {
  assert.equal(expectedRequests(load(`${good.head}images:\n  - ${good.images}\n`)), 6);
  mkdirSync(join(directory, "empty"), { recursive: true });
  assert.deepEqual(listPages(directory), ["mine"]);
  for (const name of ["A", "B", "C"]) assert.ok(listPages().includes(name), name);
  assert.throws(() => loadPage("nine", directory), /^LabError: unknown page "nine"; known: mine$/);
  assert.throws(() => loadPage("empty", directory), /empty is not a page: it has no index\.html/);
});

test("each line of responses.yml is a page with one response", () => {
  const folder = join(directory, "more");
  mkdirSync(folder, { recursive: true });
  const write = (text: string) => writeFileSync(join(folder, "responses.yml"), text);
  write("9KB: 9.0 KB\n");
  assert.deepEqual(listPages(folder), ["9KB"]);
  const page = loadGenerated("9KB", folder);
  assert.deepEqual([expectedRequests(page), totalBytes(page), page.title], [1, 9000, "one response of 9.0 KB"]);
  write("nine: 9\n");
  assert.throws(() => listPages(folder), /responses\.yml: nine: must be a size like "46 B"/);
  write("a b: 9 KB\n");
  assert.throws(() => listPages(folder), /a page's name has only letters, digits, _ and -/);
});

const wrong: [name: string, change: [string, string], message: RegExp][] = [
  ["an unknown key", ["title", "tittle"], /page\.yml: unknown key "tittle"; allowed: title, source, seed/],
  ["an unknown key of a group", ["mean", "median"], /images\.0: unknown key "median"; allowed: count, formats/],
  [
    "an unknown distribution",
    ["power", "pareto"],
    /images\.0\.distribution: .*"pareto" is unknown; known: power, log-power, log-normal, list/,
  ],
  [
    "a log-normal distribution without its median",
    ["power, min: 1 KB, mean: 2.0 KB, max: 4 KB", "log-normal, sigma: 1"],
    /images\.0\.median: must be a size/,
  ],
  ["an invalid size", ["html: 1 KB", "html: 1 kB"], /page\.yml: html: "1 kB" is not a size like "46 B"/],
  ["a size without a unit", ["html: 1 KB", "html: 1000"], /html: must be a size like "46 B"/],
  ["a count of 0", ["count: 5", "count: 0"], /images\.0\.count: .*>=1/],
  ["an unknown format", ["[png]", "[bmp]"], /images\.0\.formats\.0: .*"jpeg"\|"png"\|"gif"/],
  [
    "a mean outside the possible range",
    ["mean: 2.0 KB", "mean: 6 KB"],
    /images\.0: no sizes with the distribution power have a mean of 6000 B; \d+ to \d+ B is allowed/,
  ],
  [
    "a stddev that contradicts the other figures",
    ["max: 4 KB", "max: 4 KB, stddev: 3 KB"],
    /images\.0\.stddev: the other figures give 1, not 3 KB/,
  ],
  [
    "a total that contradicts the other figures",
    ["seed", "total: 99 KB\nseed"],
    /page\.yml: total: the other figures give 11, not 99 KB/,
  ],
  [
    "an image too small for its format",
    ["min: 1 KB", "min: 50 B"],
    /an image of 50 B is too small for png; allowed: .*gif from 46 B/,
  ],
];
for (const [name, [from, to], message] of wrong)
  test(`a page.yml with ${name} is refused`, () => {
    const text = `${good.head}images:\n  - ${good.images}\n`.replace(from, to);
    assert.throws(
      () => load(text),
      (error: Error) => (error.name === "LabError" && message.test(error.message)) || assert.fail(error.message),
    );
  });
