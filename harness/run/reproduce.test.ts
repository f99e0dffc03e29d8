import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { planIsUnchanged } from "../record/plan-hash.ts";
import { openRun, virtualBlockRun } from "../record/run-folder.ts";
import { planAnew, Reproduced } from "./reproduce.ts";

const folder = mkdtempSync(`${tmpdir()}/lab-`);
after(() => rmSync(folder, { recursive: true }));

test("a part that came out the same is not made again, nor is a smaller one of the same lines and seed", () => {
  const path = `${folder}/deep/reproduced.jsonl`;
  const part = { digest: "0a", chunks: 3, seed: 1 };
  assert.equal(new Reproduced(path).has(part), false);
  new Reproduced(path).add(part);
  const later = new Reproduced(path);
  assert.deepEqual(
    [part, { ...part, chunks: 2 }, { ...part, chunks: 4 }, { ...part, seed: 2 }, { ...part, digest: "0b" }].map((one) =>
      later.has(one),
    ),
    [true, true, false, false, false],
  );
});

test("another sample of a run has its plan, and is planned only once", () => {
  const { manifest } = openRun(virtualBlockRun);
  const sample = `${folder}/sample`;
  planAnew(manifest, sample);
  const first = readFileSync(`${sample}/run.json`, "utf8");
  planAnew(manifest, sample);
  assert.equal(readFileSync(`${sample}/run.json`, "utf8"), first);
  assert.equal(planIsUnchanged(sample), true);
  assert.deepEqual({ ...openRun(sample).manifest, createdAt: "" }, { ...manifest, createdAt: "" });
});
