import assert from "node:assert/strict";
import { test } from "node:test";
import { directionDifferences } from "./directions.ts";
import type { Cell, GridTable } from "./grid.ts";

function table(ours: number | null, published: number | null): GridTable {
  const cell: Cell = {
    row: "A",
    column: "1",
    scenarios: 1,
    plannedScenarios: 1,
    endlessScenarios: 0,
    loads: 2,
    plannedLoads: 2,
    flaggedLoads: 0,
    ours:
      ours === null
        ? null
        : { max: ours, mean: ours, min: ours, geometricMean: ours, bounds: {}, interval: { low: 0.7, high: 0.9 } },
    published: { max: null, mean: published, min: null },
  };
  return {
    kind: "grid",
    id: "5",
    title: "T",
    comparison: "1",
    where: {},
    columns: [{ key: "1", label: "1 server" }],
    rows: [{ key: "A", label: "Page A", cells: [cell] }],
  };
}
const differences = (ours: number | null, published: number | null) =>
  directionDifferences({ tables: [table(ours, published)] });

test("a cell is listed if our mean is above 1 and the published mean below 1, or the other way round", () => {
  assert.deepEqual(differences(0.8, 1.2), [
    {
      table: "5",
      where: "Page A, 1 server",
      ours: 0.8,
      published: 1.2,
      interval: { low: 0.7, high: 0.9 },
      complete: true,
    },
  ]);
  assert.equal(differences(1.06, 0.9).length, 1);
});

test("a cell is not listed if both means are on the same side of 1, or if one mean is unknown or printed as 1.0", () => {
  for (const [ours, published] of [
    [2, 1.1],
    [0.5, 0.9],
    [1.04, 0.9],
    [0.8, 1.0],
    [0.8, null],
    [null, 1.2],
  ] as const)
    assert.deepEqual(differences(ours, published), [], `${ours} and ${published}`);
});
