import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { hashOfBeginning, readLines } from "./journal.ts";
import { packRun, unpackRun } from "./pack.ts";
import { packedPath } from "./packed-file.ts";

const folder = mkdtempSync("/tmp/pack-test-");
after(() => rmSync(folder, { recursive: true }));
const path = `${folder}/loads.jsonl`;
const text = `${'{"n":1}'.repeat(1000)}\n{"n":2}\n`;
const read = (offset?: number) => [...readLines(path, offset)].map(({ bytes, offset: at }) => [at, bytes.toString()]);

test("a packed run is read in the same way from any offset, and unpacks to the same text", () => {
  writeFileSync(path, text);
  const [all, rest, hash] = [read(), read(7001), hashOfBeginning(path, 100)];
  assert.deepEqual(rest, [[7001, '{"n":2}']]);
  packRun(folder);
  assert.ok(!existsSync(path));
  assert.deepEqual([read(), read(7001), hashOfBeginning(path, 100)], [all, rest, hash]);
  unpackRun(folder);
  assert.ok(!existsSync(packedPath(path)));
  assert.equal(readFileSync(path, "utf8"), text);
});

test("the same lines always pack into the same bytes", () => {
  packRun(folder);
  const first = readFileSync(packedPath(path));
  unpackRun(folder);
  packRun(folder);
  assert.deepEqual(readFileSync(packedPath(path)), first);
});

test("a run that was packed with gzip can still be read and unpacked", () => {
  const older = `${folder}/lanes.jsonl`;
  writeFileSync(`${older}.gz`, gzipSync(text));
  assert.equal([...readLines(older)].length, 2);
  unpackRun(folder);
  assert.ok(!existsSync(`${older}.gz`));
  assert.equal(readFileSync(older, "utf8"), text);
});
