import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { KeyLog } from "./key-log.ts";

test("each line of a key log is read once, when it is complete", () => {
  const folder = mkdtempSync(`${tmpdir()}/keys-`);
  const file = `${folder}/keys.log`;
  const keys = new KeyLog(file);
  assert.equal(keys.added(), "", "before the client has logged anything");
  appendFileSync(file, "one 1\ntwo");
  assert.equal(keys.added(), "one 1\n");
  assert.equal(keys.added(), "");
  appendFileSync(file, " 2\nthree 3\n");
  assert.equal(keys.added(), "two 2\nthree 3\n");
  rmSync(folder, { recursive: true });
});
