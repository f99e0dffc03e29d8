import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import jpeg from "jpeg-js";
import type { Captured } from "../../schema/lane-messages.ts";
import type { LoadRecord } from "../../schema/records.ts";
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
  cause: "time-out",
};
const captured: Captured = { load, files: { "packets.pcapng": Buffer.from("frames").toString("base64") } };

test("a capture has its own folder with the line of its load, and that line is not in loads.jsonl", () => {
  writeCapture(folder, captured);
  const [path, ...others] = captureFolders(folder);
  assert.deepEqual([path, others.length], [`${folder}/captures/A_1s_20x2-20ms-0%_h2_iw3`, 0]);
  const { condition, pageLoadMs, reason, files, film } = readCapture(path!);
  assert.deepEqual([condition, pageLoadMs, reason, film], [load.condition, null, "timeout", null]);
  assert.deepEqual(
    files.map(({ name }) => name),
    ["load.json", "packets.pcapng"],
  );
  assert.equal(readFileSync(`${path}/${files[1]!.name}`, "utf8"), "frames");
  assert.equal(existsSync(`${folder}/loads.jsonl`), false);
});

test("a capture's frames become a film, in the order of their times", () => {
  const picture = (level: number) =>
    jpeg.encode({ width: 16, height: 16, data: Buffer.alloc(16 * 16 * 4, level) }, 90).data.toString("base64");
  const frames = { "frame-000900.0ms.jpg": picture(0), "frame-000000.0ms.jpg": picture(255) };
  writeCapture(folder, { load, files: { ...captured.files, ...frames } });
  const { files, film } = readCapture(captureFolders(folder)[0]!);
  assert.deepEqual(film, {
    speedIndexMs: 900,
    frames: [
      { name: "frame-000000.0ms.jpg", ms: 0, completeness: 0 },
      { name: "frame-000900.0ms.jpg", ms: 900, completeness: 1 },
    ],
  });
  assert.deepEqual(
    files.map(({ name }) => name),
    ["film.json", "load.json", "packets.pcapng"],
  );
});

test("the error for an invalid film, or for a missing frame, names the file", () => {
  const [path = ""] = captureFolders(folder);
  const whole = readFileSync(`${path}/film.json`, "utf8");
  writeFileSync(`${path}/film.json`, whole.replace("frame-000900.0ms.jpg", "../../run.json"));
  assert.throws(() => readCapture(path), /iw3\/film\.json is not a valid film: .*name/s);
  writeFileSync(`${path}/film.json`, whole.slice(20));
  assert.throws(() => readCapture(path), /iw3\/film\.json is not a valid film: Unexpected/);
  writeFileSync(`${path}/film.json`, whole);
  rmSync(`${path}/frame-000900.0ms.jpg`);
  assert.throws(() => readCapture(path), /iw3\/frame-000900\.0ms\.jpg does not exist, although film\.json names it/);
});

test("an incomplete capture does not count; a new capture of a condition replaces the earlier one", () => {
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

test("the error for an invalid load line names the file", () => {
  writeFileSync(`${captureFolders(folder)[0]}/load.json`, "{}");
  assert.throws(() => readCapture(captureFolders(folder)[0]!), /load\.json is not a valid load line/);
});
