import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { planHashFile, planHashOf, planIsUnchanged } from "./plan-hash.ts";

const folder = mkdtempSync(`${tmpdir()}/plan-hash-`);
after(() => rmSync(folder, { recursive: true }));

test("planIsUnchanged compares run.json with its recorded hash, and returns null if there is no hash", () => {
  const json = JSON.stringify({ loads: 20 });
  writeFileSync(`${folder}/run.json`, json);
  assert.equal(planIsUnchanged(folder), null);
  writeFileSync(`${folder}/${planHashFile}`, planHashOf(json));
  assert.equal(planIsUnchanged(folder), true);
  writeFileSync(`${folder}/run.json`, JSON.stringify({ loads: 5 }));
  assert.equal(planIsUnchanged(folder), false);
});
