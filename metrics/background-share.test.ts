import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import { metrics } from "./registry.ts";

const share = (name: string, background?: object) => metrics[name]?.of({ background } as unknown as Evidence);

test("background flows that have 0.5 of 2 MB during the load have a share of 25%; without bytes or background flows the share is null", () => {
  const [down, up] = [
    { bytes: 2_000_000, ofBackground: 500_000 },
    { bytes: 0, ofBackground: 0 },
  ];
  const background = { before: { ms: 1000, down: { bytes: 10, ofBackground: 10 }, up }, during: { ms: 900, down, up } };
  assert.deepEqual([share("backgroundDownPercent", background), share("backgroundUpPercent", background)], [25, null]);
  assert.equal(share("backgroundDownPercent"), null);
});
