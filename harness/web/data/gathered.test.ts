import assert from "node:assert/strict";
import { test } from "node:test";
import type { FailedLoad, GoodLoad } from "../../../schema/records.ts";
import { conditionsOfRun } from "../../record/manifest.ts";
import { readSavedRun } from "../../record/records.ts";
import { openRun, virtualBlockRun } from "../../record/run-folder.ts";
import { loadsOf } from "../client/loads.ts";
import { Gatherer } from "./gathered.ts";

const { folder, manifest } = openRun(virtualBlockRun);
const run = readSavedRun(folder, manifest);
const [line] = run.loads();
const good = (line as unknown as { load: GoodLoad }).load;
const failed: FailedLoad = { ...good, ok: false, reason: "timeout", block: 2, evidence: undefined };
const condition = conditionsOfRun(manifest).find(({ id }) => id === good.condition)!;

test("of each load its time stays, of those there is room for what they left behind, of few why they are remarked upon", () => {
  const kept: number[] = [];
  const keep = (_: number, place: number) => place < 2 && kept.push(place) > 0;
  const gatherer = new Gatherer(condition, 0, { run, folder, tracedBlocks: 0, keep });
  gatherer.add(good, [], null);
  gatherer.add(failed, [], null);
  for (let block = 3; block < 100; block++) gatherer.add({ ...good, block }, ["its lane is gone"], null);
  const { data } = gatherer.gathered();
  const loads = loadsOf(data.loads);
  assert.equal(loads.length, 99);
  assert.deepEqual(
    loads.slice(0, 3).map(({ block, ms, detailed, remark }) => [block, ms, detailed, remark?.reason, remark?.doubts]),
    [
      [1, good.pageLoadMs, true, undefined, undefined],
      [2, null, true, "timeout", []],
      [3, good.pageLoadMs, false, null, ["its lane is gone"]],
    ],
  );
  const last = loads.at(-1)!;
  assert.deepEqual([last.remarked, last.remark], [true, null]);
  assert.deepEqual(kept, [0, 1]);
});
