import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { netns } from "../../substrate/netns.ts";
import { laneProcesses } from "./lane-process.ts";

const folder = mkdtempSync(`${tmpdir()}/lab-`);
after(() => rmSync(folder, { recursive: true }));
const registries = { links: {}, protocols: {}, pages: {}, servers: {}, clients: {}, hosts: [], defaults: {} };
const chunk = {
  kind: "loads" as const,
  number: 0,
  calibrate: [],
  calibrations: {},
  loads: [],
  registries,
  timeoutMs: 1,
};
const laneOf = (command: string[], patienceSeconds = 60) =>
  laneProcesses(
    { ...netns, laneCommand: () => command },
    folder,
    1,
    patienceSeconds,
  )(chunk, 0, new AbortController().signal);
const read = async (lane: ReturnType<typeof laneOf>) => {
  const messages = [];
  for await (const message of lane) messages.push(message);
  return messages;
};

test("each line that a lane prints is read as a message", async () => {
  const direction = { delayMs: 10, rateMbps: 20, lossPercent: 0, packets: 1, queuePackets: 50 };
  const measured = {
    rttMs: { median: 20, p99: 21 },
    goodputMbps: 19,
    goodputLimitMbps: 19,
    down: direction,
    up: direction,
  };
  const asked = { downMbps: 20, upMbps: 2, rttMs: 20, lossPercent: 0, queuePackets: 50 };
  const link = {
    link: "20x2-20ms-0%",
    configured: asked,
    measuredAt: "2026-01-01T00:00:00.000Z",
    attempt: 1,
    measured,
    deviations: [],
  };
  const calibration = { calibration: "0.0", ...link, final: true };
  const message = { kind: "calibration", calibration };
  assert.deepEqual(await read(laneOf(["echo", JSON.stringify(message)])), [message]);
});
test("a line that is not a message ends its lane, and the error quotes it", async () => {
  await assert.rejects(read(laneOf(["echo", '{"load":1}'])), /it printed .*load.*which is not a message/s);
  await assert.rejects(read(laneOf(["printf", '{"load":{"cond'])), /which is not a message/);
});
test("a lane that hangs is killed, and the error says why", async () =>
  assert.rejects(read(laneOf(["sleep", "100"], 0.3)), /a lane ended early \(it sent no message for 0 s\)/));
test("the error of a lane that fails quotes the lane's last output, but no output of other lanes or of the guest's kernel", async () => {
  await assert.rejects(read(laneOf(["sh", "-c", "echo why >&2; exit 3"])), /exit code 3\): why$/s);
  const panic =
    "echo else >&2; echo 'Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000100' >&2; exit 1";
  await assert.rejects(read(laneOf(["sh", "-c", panic])), /exit code 1\): else$/s);
  await assert.rejects(read(laneOf(["false"])), /exit code 1\): it printed nothing$/);
});
