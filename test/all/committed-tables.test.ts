/**
 * The committed tables and figures are those that today's code prints from the committed runs.
 * `UPDATE=1 node --import tsx --test test/all/committed-tables.test.ts` writes them anew.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { writtenFiles } from "../../harness/cli/commands/tables.ts";
import { renderSvg } from "../../harness/figures/chart.ts";
import { renderFigureCsv } from "../../harness/figures/figure.ts";
import { figuresOf } from "../../harness/figures/run-figures.ts";
import { readRun } from "../../harness/record/records.ts";
import { tablesOf } from "../../harness/tables/run-tables.ts";

const patterns = ["tables.md", "conditions.md", "conditions.csv", "figures/*"].map((name) => `results/**/${name}`);
const committed = execFileSync("git", ["ls-files", ...patterns], { encoding: "utf8" })
  .trim()
  .split("\n");
const runs = [...new Set(committed.map((path) => path.replace(/(\/figures)?\/[^/]*$/, "")))];

/** Returns the path and the content of each table and figure of a run. */
function filesOf(folder: string): Map<string, string> {
  const run = readRun(folder);
  const tables = (): [string, string][] => writtenFiles(tablesOf(run, {}));
  const figures = () =>
    figuresOf(run).flatMap((figure): [string, string][] => [
      [`${figure.id}.svg`, renderSvg(figure)],
      [`${figure.id}.csv`, renderFigureCsv(figure)],
    ]);
  const has = (start: string) => committed.some((path) => path.startsWith(`${folder}/${start}`));
  return new Map([
    ...(has("tables.md") ? tables().map(([name, text]) => [`${folder}/${name}`, text] as const) : []),
    ...(has("figures/") ? figures().map(([name, text]) => [`${folder}/figures/${name}`, text] as const) : []),
  ]);
}

for (const folder of runs)
  test(`${folder}: today's code computes exactly the committed tables and figures`, () => {
    const files = filesOf(folder);
    const paths = committed.filter((path) => path.startsWith(`${folder}/`));
    assert.deepEqual(paths.toSorted(), [...files.keys()].sort());
    for (const [path, text] of files) {
      if (process.env.UPDATE) writeFileSync(path, text);
      assert.equal(readFileSync(path, "utf8"), text, path);
    }
  });
