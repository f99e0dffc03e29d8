import assert from "node:assert/strict";
import { test } from "node:test";
import { type RecordedLoad, recordedLoads } from "../../judge/run/judged-loads.ts";
import { blockRun } from "../../record/find-run.ts";
import { conditionsOfRun } from "../../record/manifest.ts";
import { readSavedRun } from "../../record/records.ts";
import { openRun } from "../../record/run-folder.ts";
import { loadsOf } from "../client/loads.ts";
import { Gatherer } from "./gathered.ts";

const { folder, manifest } = openRun(blockRun);
const run = readSavedRun(folder, manifest);
const first = recordedLoads(run).next().value as RecordedLoad;
const condition = conditionsOfRun(manifest).find(({ id }) => id === first.condition)!;

test("a condition's data has each load's time (null if it failed, Infinity if it never ended), and details and remarks of only the first loads", () => {
  const kept: number[] = [];
  const keep = (_: number, place: number) => place < 2 && kept.push(place) > 0;
  const gatherer = new Gatherer(condition, 0, { run, tracedBlocks: 0, keep });
  gatherer.add(first);
  const failed = { ...first, ok: false, reason: "timeout", trace: null };
  gatherer.add({ ...failed, block: 2, observed: null });
  gatherer.add({ ...failed, block: 3, observed: "longer" });
  for (let block = 4; block < 100; block++) gatherer.add({ ...first, block, problems: ["its lane is gone"] });
  const { data } = gatherer.gathered();
  const loads = loadsOf(data.loads);
  assert.equal(loads.length, 99);
  assert.deepEqual(
    loads.slice(0, 4).map(({ block, ms, detailed, remark }) => [block, ms, detailed, remark?.reason, remark?.problems]),
    [
      [1, first.metrics.pageLoadMs, true, undefined, undefined],
      [2, null, true, "timeout", []],
      [3, Infinity, false, "timeout", []],
      [4, first.metrics.pageLoadMs, false, null, ["its lane is gone"]],
    ],
  );
  const last = loads.at(-1)!;
  assert.deepEqual([last.remarked, last.remark], [true, null]);
  assert.deepEqual(kept, [0, 1]);
});
