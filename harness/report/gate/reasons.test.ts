import assert from "node:assert/strict";
import { test } from "node:test";
import type { LearntRequest } from "../../../schema/registries.ts";
import { reasonsOf } from "./reasons.ts";
import type { GateSide } from "./sides.ts";

const side = (page: string, learnt: Record<string, Partial<LearntRequest>>) =>
  ({
    condition: { settings: { link: { rttMs: 28 } } },
    loads: [],
    parts: null,
    learnt: Object.entries(learnt).map(([file, one]) => ({ path: `/imported/${page}/1-h2/${file}`, ...one })),
  }) as unknown as GateSide;

test("a compressed text whose size differs by some bytes has another page's name; any other difference is named", () => {
  const gzip = { encoding: "gzip" } as const;
  const before = side("page-a", {
    "index.html": { bytes: 900, ...gzip },
    "a.css": { bytes: 700, ...gzip },
    "a.png": { bytes: 500 },
  });
  const after = side("page-b", {
    ...{ "index.html": { bytes: 902, ...gzip }, "a.css": { bytes: 750, ...gzip }, "a.png": { bytes: 501 } },
    "new.js": { bytes: 5, ...gzip },
  });
  assert.deepEqual(reasonsOf(before, after).files, [
    { path: "a.css", beforeBytes: 700, afterBytes: 750 },
    { path: "a.png", beforeBytes: 500, afterBytes: 501 },
    { path: "new.js", beforeBytes: null, afterBytes: 5 },
  ]);
});
