import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf } from "./request.ts";

test("each clock accepts its own options, and refuses those of the other clock", () => {
  assert.deepEqual(placeOf("real", { substrate: "netns", lanes: 1 }), { clock: "real", substrate: "netns" });
  const virtual = { clock: "virtual", lanes: 3, root: "file" };
  assert.deepEqual(placeOf("virtual", { lanes: 3, root: "file" }), virtual);
  assert.deepEqual(placeOf("virtual", { lanes: 3, root: "file", workers: true, audit: 2 }), {
    ...virtual,
    workers: { address: true, auditedShare: 0.02 },
  });
  assert.throws(() => placeOf("virtual", { substrate: "netns" }), /the virtual clock uses its own guests/);
  assert.throws(() => placeOf("real", { lanes: 2 }), /lanes would disturb each other/);
  assert.throws(() => placeOf("real", { root: "file" }), /--root is for --clock virtual/);
  assert.throws(() => placeOf("real", { workers: true }), /--workers is for --clock virtual/);
  assert.throws(() => placeOf("virtual", { audit: 2 }), /needs --workers/);
});
