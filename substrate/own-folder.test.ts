import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { openOwnFolder, ownersIn, ownFolder } from "./own-folder.ts";

const folder = mkdtempSync(`${tmpdir()}/lab-own-`);
const parent = `${folder}/guests`;
after(() => rmSync(folder, { recursive: true }));

test("openOwnFolder returns a function that removes the process's folder, and then the parent folder if the parent folder is empty", () => {
  const remove = openOwnFolder(parent);
  assert.ok(existsSync(ownFolder(parent)));
  mkdirSync(`${parent}/1`); // the folder of process 1, which always runs
  remove();
  assert.ok(!existsSync(ownFolder(parent)) && existsSync(`${parent}/1`));
  rmSync(`${parent}/1`, { recursive: true });
  openOwnFolder(parent)();
  assert.ok(!existsSync(parent));
});

test("openOwnFolder removes folders of killed processes", () => {
  const killed = `${parent}/${2 ** 30}`; // no process has an ID this large (proc(5), pid_max)
  mkdirSync(killed, { recursive: true });
  const remove = openOwnFolder(parent);
  assert.ok(!existsSync(killed));
  remove();
});

test("ownersIn lists only processes of this checkout that still run", async () => {
  assert.deepEqual(ownersIn(parent), []);
  const elsewhere = spawn("sleep", ["60"], { cwd: folder }); // stands for another program that has got the process ID of a killed worker
  try {
    await once(elsewhere, "spawn");
    const remove = openOwnFolder(parent);
    mkdirSync(`${parent}/${elsewhere.pid}`);
    assert.deepEqual(ownersIn(parent), [String(process.pid)]);
    rmSync(`${parent}/${elsewhere.pid}`, { recursive: true });
    remove();
  } finally {
    elsewhere.kill();
  }
});
