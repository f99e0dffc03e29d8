import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { openOwnFolder, ownFolder } from "./own-folder.ts";

const folder = mkdtempSync(`${tmpdir()}/lab-own-`);
const parent = `${folder}/guests`;
after(() => rmSync(folder, { recursive: true }));

test("a process's folder goes with it, and the parent with the last one", () => {
  const remove = openOwnFolder(parent);
  assert.ok(existsSync(ownFolder(parent)));
  mkdirSync(`${parent}/1`); // another process that lives
  remove();
  assert.ok(!existsSync(ownFolder(parent)) && existsSync(`${parent}/1`));
  rmSync(`${parent}/1`, { recursive: true });
  openOwnFolder(parent)();
  assert.ok(!existsSync(parent));
});

test("folders of processes that were killed are removed", () => {
  const killed = `${parent}/${2 ** 30}`; // no process has such a number (proc(5), pid_max)
  mkdirSync(killed, { recursive: true });
  const remove = openOwnFolder(parent);
  assert.ok(!existsSync(killed));
  remove();
});
