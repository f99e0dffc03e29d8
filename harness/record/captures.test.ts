import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import type { Captured, LoadRecord } from "../../schema/records.ts";
import { captureFolders, readCapture, writeCapture } from "./captures.ts";

const folder = mkdtempSync(`${tmpdir()}/captures-test-`);
after(() => rmSync(folder, { recursive: true }));

const load: LoadRecord = {
  condition: "A/1s/20x2-20ms-0%/h2/iw3",
  block: 1,
  attempt: 1,
  lane: 7,
  startedAt: "2000-01-08T00:00:00.000Z",
  wallMs: 12,
  ok: false,
  reason: "timeout",
};
const captured: Captured = { load, files: { "packets.pcapng": Buffer.from("frames").toString("base64") } };

test("a capture is in a folder of its own, with the line of its load, which stands in no journal", () => {
  writeCapture(folder, captured);
  const [path, ...others] = captureFolders(folder);
  assert.deepEqual([path, others.length], [`${folder}/captures/A_1s_20x2-20ms-0%_h2_iw3`, 0]);
  const { condition, pageLoadMs, reason, files } = readCapture(path!);
  assert.deepEqual([condition, pageLoadMs, reason], [load.condition, null, "timeout"]);
  assert.deepEqual(
    files.map(({ name }) => name),
    ["load.json", "packets.pcapng"],
  );
  assert.equal(readFileSync(files[1]!.path, "utf8"), "frames");
  assert.equal(existsSync(`${folder}/loads.jsonl`), false);
});

test("one that was cut off is none, and a later one takes its place", () => {
  mkdirSync(`${folder}/captures/A_1s_20x2-20ms-0%_h2_iw3.part`);
  writeFileSync(`${folder}/captures/A_1s_20x2-20ms-0%_h2_iw3.part/load.json`, "{}");
  assert.equal(captureFolders(folder).length, 1);
  writeCapture(folder, { ...captured, files: {} });
  const [path] = captureFolders(folder);
  assert.deepEqual(
    readCapture(path!).files.map(({ name }) => name),
    ["load.json"],
  );
});

test("what is no load's line is named", () => {
  writeFileSync(`${captureFolders(folder)[0]}/load.json`, "{}");
  assert.throws(() => readCapture(captureFolders(folder)[0]!), /load\.json is no load's line/);
});
