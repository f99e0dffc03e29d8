/** One file adds an axis that sets a kernel parameter of the servers. This test adds such a file to a copy of the lab. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { serverAxis } from "./all/alone/new-entries.ts";
import { LabCopy } from "./lab.ts";

const copy = LabCopy.bare();
after(() => copy.remove());
before(() => {
  symlinkSync(resolve("node_modules"), `${copy.folder}/node_modules`);
  cpSync("results/today/jitter", `${copy.folder}/results/today/jitter`, { recursive: true });
  copy.put("axes/recovery.axis.ts", serverAxis);
});

test("`plan` prints conditions with the new axis's values; the axis's default value is omitted from the conditions' ids", async () => {
  const { stdout, code, stderr } = await copy.lab("plan", "jitter", "--json", "--with", "recovery=rack,dupacks");
  assert.equal(code, 0, stderr);
  const rows = JSON.parse(stdout) as { condition: string; recovery: string }[];
  assert.ok(rows.some(({ recovery }) => recovery === "dupacks"));
  for (const { condition, recovery } of rows) assert.equal(condition.endsWith("/dupacks"), recovery === "dupacks");
});

test("verify accepts a run that is older than the new axis, and prints that the run was recorded before the lab could set the axis", async () => {
  const { stdout, code } = await copy.lab("verify", "results/today/jitter");
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^Valid: 240 of 240 loads;/);
  assert.match(stdout, /^\| recovery +\| +0 \| +0 \| +240 \| recorded before the lab could set it +\|$/m);
});

test("with the new axis, the unit tests of axes, judgements and plans pass unchanged", () => {
  const files = ["axes/*.test.ts", "harness/judge/load/*.test.ts", "harness/plan/*.test.ts"];
  const { stdout, status } = spawnSync("sh", ["-c", `node --import tsx --test ${files.join(" ")}`], {
    cwd: copy.folder,
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout.match(/^not ok.*/gm)?.join("\n"));
});
