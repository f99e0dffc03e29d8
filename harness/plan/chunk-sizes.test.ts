/** How many loads and links a guest gets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { chunkSizesOf, evenChunks, evenPages } from "./chunk-sizes.ts";

const chunksOf = (loads: number) => Math.ceil(loads / evenChunks(loads, 1).loads);

test("loads are divided into an even number of chunks of about the same size, so that two lanes end at the same time", () => {
  assert.deepEqual(
    [16, 40, 60, 96, 97, 288, 5760].map((loads) => [evenChunks(loads, 1).loads, chunksOf(loads)]),
    [
      [8, 2],
      [20, 2],
      [30, 2],
      [48, 2],
      [25, 4],
      [48, 6],
      [48, 120],
    ],
  );
});

test("fewer than 16 loads are one chunk; links and pages are divided by the same rule, with smaller minimum sizes", () => {
  assert.deepEqual(
    [1, 3, 15].map((loads) => chunksOf(loads)),
    [1, 1, 1],
  );
  assert.deepEqual(
    [1, 2, 3, 8, 9].map((links) => evenChunks(10, links).links),
    [1, 1, 2, 4, 3],
  );
  assert.deepEqual(
    [1, 3, 4, 21].map((pages) => evenPages(pages)),
    [1, 3, 2, 11],
  );
});

test("if a run's manifest has no chunk sizes, the run is an older one, with 48 loads or 4 links in a chunk", () => {
  assert.deepEqual(chunkSizesOf({}), { loads: 48, links: 4 });
  assert.deepEqual(chunkSizesOf({ chunks: { loads: 20, links: 1 } }), { loads: 20, links: 1 });
});
