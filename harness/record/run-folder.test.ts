import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { openRun } from "./run-folder.ts";

const block = JSON.parse(readFileSync("results/block/run.json", "utf8")) as Record<string, unknown>;

function openWith(manifest: string | null) {
  const folder = mkdtempSync("/tmp/run-test-");
  try {
    if (manifest !== null) writeFileSync(`${folder}/run.json`, manifest);
    return openRun(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a run is opened by its folder or its name", () => {
  assert.equal(openRun("results/block/").manifest.name, "spdy-initcwnd");
  assert.equal(openRun("block").folder, "results/block");
});
test("the error for an unknown run has its name and the known runs", () =>
  assert.throws(() => openRun("nope"), /unknown run "nope"; known: .*block/));
test("a folder without a manifest is not a run", () => assert.throws(() => openWith(null), /is not a run: ENOENT/));
test("a folder whose manifest was cut off is not a run", () =>
  assert.throws(() => openWith('{"schemaVersion": 1, "na'), /is not a run: .*JSON/));
test("a manifest with another schema version is refused", () =>
  assert.throws(
    () => openWith(JSON.stringify({ ...block, schemaVersion: 99 })),
    /schema version 99; this lab reads 4/,
  ));
test("a manifest with an unknown key is refused", () =>
  assert.throws(() => openWith(JSON.stringify({ ...block, colour: "red" })), /Unrecognized key: "colour"/));
