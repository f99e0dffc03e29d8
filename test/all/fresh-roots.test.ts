/** Runs with root file systems that are unpacked separately, from the same packages, have the same bytes. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, test } from "node:test";
import { LabCopy, lab, only, runFolder } from "../lab.ts";

const copies: LabCopy[] = [];
after(() => {
  for (const copy of copies) copy.remove();
});

/** Makes a copy of the checkout that has a kernel, but no root image, neither in its folder nor in its cache. */
async function withoutRoot() {
  const copy = await LabCopy.make({ virtualClock: true });
  copies.push(copy);
  rmSync(`${copy.folder}/.lab/root`, { recursive: true });
  return { folder: copy.folder, env: { ...process.env, XDG_CACHE_HOME: `${copy.folder}/cache` } };
}

test("a run that is repeated with a newly unpacked root file system has the same bytes", async () => {
  const one = await withoutRoot();
  const conditions = only("page=A", "servers=1", "initcwnd=10", "link=20x2-100ms-1%");
  const run = await lab(["run", "--clock", "virtual", "--lanes", "1", "--loads", "1", ...conditions], one);
  assert.equal(run.code, 0, run.stderr);
  // The run has two chunks: one measures the link, the other makes the loads.
  const words = ["verify", `${one.folder}/${runFolder(run.stderr)}`, "--here", "--again", "2"];
  const again = await lab(words, await withoutRoot());
  assert.equal(again.code, 0, again.stdout + again.stderr);
});
