/** A link is measured again only if an input has changed, or if the kept file is damaged. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import type { LaneMessage, LoadChunk } from "../../schema/lane-messages.ts";
import { blockRun } from "../record/find-run.ts";
import { readRun } from "../record/records.ts";
import { keepingMeasurements } from "./kept-measurements.ts";
import { LaneError } from "./run-events.ts";
import { plan } from "./test-lanes.fixture.ts";

const folder = mkdtempSync("/tmp/kept-measurements-test-");
after(() => rmSync(folder, { recursive: true }));

const { calibrations, lanes } = readRun(blockRun);
const measured: LaneMessage[] = [
  ...calibrations.slice(0, 2).map((calibration): LaneMessage => ({ kind: "calibration", calibration })),
  { kind: "lane", lane: lanes[0]! },
];
const links = { kind: "loads", number: 0, calibrate: [], loads: [] } as unknown as LoadChunk;

let started = 0;
let breaks = false;
const noted: string[] = [];
const start = keepingMeasurements(
  async function* () {
    started++;
    yield measured[0]!;
    if (breaks) throw new LaneError("the lane died");
    yield* measured.slice(1);
  },
  ({ timeoutMs }) => `input-${timeoutMs}`,
  (_, input) => void noted.push(input),
  folder,
);
async function measure(timeoutMs: number, loads: LoadChunk["loads"] = [], signal = new AbortController().signal) {
  const messages = [];
  for await (const message of start({ ...links, timeoutMs, loads }, 0, signal)) messages.push(message);
  return messages;
}

test("links are measured only once for the same input, and the reuse of their measurements is recorded", async () => {
  assert.deepEqual([await measure(1), await measure(1)], [measured, measured]);
  assert.deepEqual([started, noted], [1, ["input-1"]]);
  await measure(2);
  assert.equal(started, 2);
});

test("a chunk with loads runs each time, and measurements that failed or were interrupted are not kept", async () => {
  started = 0;
  await measure(1, plan);
  assert.equal(started, 1);
  breaks = true;
  await assert.rejects(measure(3), LaneError);
  breaks = false;
  await measure(4, [], AbortSignal.abort());
  assert.deepEqual(readdirSync(folder).sort(), ["input-1", "input-2"]);
});

test("a link is measured again if the kept file is truncated or altered", async () => {
  const path = `${folder}/input-1`;
  const kept = readFileSync(path, "utf8");
  started = 0;
  for (const other of [kept.slice(0, -9), kept.replace(/"rateMbps":\d/, '"rateMbps":7'), "null"]) {
    writeFileSync(path, other);
    assert.deepEqual(await measure(1), measured);
  }
  assert.equal(started, 3);
});
