import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, test } from "node:test";
import { removeOthers } from "./bundle.ts";

const folder = mkdtempSync("/tmp/bundle-test-");
after(() => rmSync(folder, { recursive: true }));

test("scripts of servers that there are no more leave the bundle", () => {
  for (const name of ["servers/gone", "servers/node"]) {
    mkdirSync(`${folder}/${name}`, { recursive: true });
    writeFileSync(`${folder}/${name}/main.mjs`, "");
  }
  writeFileSync(`${folder}/old.mjs`, "");
  removeOthers(folder, new Set([resolve(folder, "servers/node/main.mjs")]));
  assert.deepEqual(readdirSync(folder, { recursive: true }).toSorted(), [
    "servers",
    "servers/node",
    "servers/node/main.mjs",
  ]);
});
