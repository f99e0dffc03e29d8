import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import { metrics } from "./registry.ts";

const share = (name: string, background?: object) => metrics[name]?.of({ background } as unknown as Evidence);

test("the share of background flows is measured during the load, in each direction; a load without background flows has none", () => {
  const [down, up] = [
    { bytes: 2_000_000, ofBackground: 500_000 },
    { bytes: 0, ofBackground: 0 },
  ];
  const background = { before: { ms: 1000, down: { bytes: 10, ofBackground: 10 }, up }, during: { ms: 900, down, up } };
  assert.deepEqual([share("backgroundDownPercent", background), share("backgroundUpPercent", background)], [25, null]);
  assert.equal(share("backgroundDownPercent"), null);
});
