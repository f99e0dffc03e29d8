import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { hashOfBeginning, readLines } from "./journal.ts";
import { packRun, unpackRun } from "./pack.ts";

const folder = mkdtempSync("/tmp/pack-test-");
after(() => rmSync(folder, { recursive: true }));
const path = `${folder}/loads.jsonl`;
const text = `${'{"n":1}'.repeat(1000)}\n{"n":2}\n`;
const read = (offset?: number) => [...readLines(path, offset)].map(({ bytes, offset: at }) => [at, bytes.toString()]);

test("a packed run reads the same from any offset, and unpacks to the same text", () => {
  writeFileSync(path, text);
  const [all, rest, hash] = [read(), read(7001), hashOfBeginning(path, 100)];
  assert.deepEqual(rest, [[7001, '{"n":2}']]);
  packRun(folder);
  assert.ok(!existsSync(path));
  assert.deepEqual([read(), read(7001), hashOfBeginning(path, 100)], [all, rest, hash]);
  unpackRun(folder);
  assert.ok(!existsSync(`${path}.gz`));
  assert.equal(readFileSync(path, "utf8"), text);
});

test("the same lines always pack into the same bytes", () => {
  packRun(folder);
  const first = readFileSync(`${path}.gz`);
  assert.equal(first.readUInt32LE(4), 0, "no time of change");
  unpackRun(folder);
  packRun(folder);
  assert.deepEqual(readFileSync(`${path}.gz`), first);
});
