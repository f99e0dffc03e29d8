/** Runs `./lab clean` in a temporary folder. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

const folder = mkdtempSync(`${tmpdir()}/lab-clean-`);
after(() => rmSync(folder, { recursive: true }));

const command = `import("${pathToFileURL("harness/cli/commands/clean.ts")}").then(async ({ addTo }) => {
  const { Command } = await import("${pathToFileURL("node_modules/commander/esm.mjs")}");
  const lab = new Command();
  addTo(lab);
  process.chdir("${folder}");
  await lab.parseAsync(["node", "lab", "clean"]);
})`;
const clean = () => spawnSync(process.execPath, ["--import", "tsx", "-e", command], { encoding: "utf8" });

test("clean fails while a worker of this checkout runs, and removes the files that a killed worker left", async () => {
  const worker = spawn("sleep", ["60"], { cwd: folder });
  await once(worker, "spawn");
  const own = `${folder}/.lab/workers/${worker.pid}`;
  mkdirSync(own, { recursive: true });
  assert.match(clean().stderr, new RegExp(`1 worker makes loads in this folder \\(process ${worker.pid}\\)`));
  assert.ok(existsSync(own));
  worker.kill("SIGKILL");
  await once(worker, "exit");
  const { status, stderr } = clean();
  assert.equal(status, 0, stderr);
  assert.ok(!existsSync(`${folder}/.lab`));
});
