/** Each case runs in a process of its own, because a process reads its environment only once. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";

const folder = mkdtempSync("/tmp/cache-folder-test-");
after(() => rmSync(folder, { recursive: true }));
writeFileSync(`${folder}/file`, "");

const script = 'import { cacheFolder } from "./hosts/cache-folder.ts"; console.log(cacheFolder("judged"))';
const folderWith = (variables: Record<string, string>) =>
  execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, LAB_STATE: "/the/state", ...variables },
    timeout: 60_000,
  }).trim();

test("caches are in the user's cache folder, which only the user can read", () => {
  assert.equal(folderWith({ HOME: folder }), `${folder}/.cache/pageload-lab/judged`);
  assert.equal(statSync(`${folder}/.cache/pageload-lab/judged`).mode & 0o777, 0o700);
  assert.equal(folderWith({ HOME: "/", XDG_CACHE_HOME: `${folder}/x` }), `${folder}/x/pageload-lab/judged`);
});

test("caches are in the state folder if the cache folder cannot be used, and no home directory is made", () => {
  for (const cache of [`${folder}/file`, `${folder}/missing/.cache`, "/proc/missing"])
    assert.equal(folderWith({ XDG_CACHE_HOME: cache }), "/the/state/judged", cache);
  assert.ok(!existsSync(`${folder}/missing`));
  assert.equal(folderWith({}), "/the/state/judged");
});
