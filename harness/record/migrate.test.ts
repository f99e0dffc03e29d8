/** Runs of version 2: nothing of them is lost or invented when they are read as version 3. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readSavedRun } from "./records.ts";
import { openRun, referenceRun, virtualReferenceRun } from "./run-folder.ts";

for (const name of [referenceRun, virtualReferenceRun])
  test(`${name}: every line is a record, with the values that it had`, () => {
    const { folder, manifest } = openRun(name);
    assert.equal(manifest.recordedVersion, 2);
    const run = readSavedRun(folder, manifest);
    assert.deepEqual(run.problems, []);
    const raw = readFileSync(`${name}/loads.jsonl`, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const loads = [...run.loads()].map((line) => ("load" in line ? line.load : assert.fail(JSON.stringify(line))));
    assert.equal(loads.length, raw.length);
    const lanes = new Map(run.lanes.map((lane) => [lane.lane, lane]));
    loads.forEach((load, i) => {
      const { channel, evidence, condition, server, congestion, ...kept } = raw[i];
      assert.deepEqual({ ...kept }, Object.fromEntries(Object.keys(kept).map((key) => [key, load[key]])));
      assert.deepEqual([load.link, load.server, load.congestion], [channel, server, congestion]);
      assert.equal(`${load.condition}/${server}/${congestion}`, condition);
      const lane = lanes.get(load.lane)!;
      assert.ok(lane.startedAt <= load.startedAt);
      if (evidence) assert.deepEqual(load.evidence?.timing, evidence.timing);
      const vouching = run.calibrations.find(({ calibration }) => calibration === lane.calibrations[channel]);
      assert.ok(vouching && vouching.link === channel && vouching.measuredAt <= load.startedAt);
    });
  });
