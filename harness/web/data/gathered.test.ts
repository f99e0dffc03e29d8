import assert from "node:assert/strict";
import { test } from "node:test";
import { type RecordedLoad, recordedLoads } from "../../judge/judged-loads.ts";
import { conditionsOfRun } from "../../record/manifest.ts";
import { readSavedRun } from "../../record/records.ts";
import { blockRun, openRun } from "../../record/run-folder.ts";
import { loadsOf } from "../client/loads.ts";
import { Gatherer } from "./gathered.ts";

const { folder, manifest } = openRun(blockRun);
const run = readSavedRun(folder, manifest);
const first = recordedLoads(run).next().value as RecordedLoad;
const condition = conditionsOfRun(manifest).find(({ id }) => id === first.condition)!;

test("of each load its time stays, of those there is room for what they left behind, of few why they are remarked upon", () => {
  const kept: number[] = [];
  const keep = (_: number, place: number) => place < 2 && kept.push(place) > 0;
  const gatherer = new Gatherer(condition, 0, { run, tracedBlocks: 0, keep });
  gatherer.add(first);
  gatherer.add({ ...first, ok: false, reason: "timeout", block: 2, measures: null, trace: null });
  for (let block = 3; block < 100; block++) gatherer.add({ ...first, block, problems: ["its lane is gone"] });
  const { data } = gatherer.gathered();
  const loads = loadsOf(data.loads);
  assert.equal(loads.length, 99);
  assert.deepEqual(
    loads.slice(0, 3).map(({ block, ms, detailed, remark }) => [block, ms, detailed, remark?.reason, remark?.problems]),
    [
      [1, first.metrics.pageLoadMs, true, undefined, undefined],
      [2, null, true, "timeout", []],
      [3, first.metrics.pageLoadMs, false, null, ["its lane is gone"]],
    ],
  );
  const last = loads.at(-1)!;
  assert.deepEqual([last.remarked, last.remark], [true, null]);
  assert.deepEqual(kept, [0, 1]);
});
