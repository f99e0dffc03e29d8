import assert from "node:assert/strict";
import { test } from "node:test";
import type { SavedRun } from "../../record/records.ts";
import { missingParts } from "./missing-parts.ts";

const run = (createdAt: string, isUnchanged: true | null, calibrations: readonly object[]) =>
  ({ manifest: { createdAt }, planIsUnchanged: () => isUnchanged, calibrations }) as unknown as SavedRun;

test("a run without run.sha256, or with a link measurement without samples, is reported, unless the run is older than these parts", () => {
  const bare = [{}, { samples: {} }];
  assert.deepEqual(missingParts(run("2026-11-22T00:00:00.000Z", null, bare)), []);
  assert.deepEqual(missingParts(run("2026-11-24T00:00:00.000Z", true, [{ samples: {} }])), []);
  assert.deepEqual(missingParts(run("2026-11-24T00:00:00.000Z", null, bare)), [
    "1 link measurement without samples, which the lab always keeps",
    "there is no run.sha256, which the lab writes as a run begins",
  ]);
});
