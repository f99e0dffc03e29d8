/**
 * Repeats a committed run on the virtual clock: the same versions give the same bytes. With other versions, what the network does
 * stays the same. If Debian's packages are newer now, today's packages give the same bytes twice.
 * `test/record-run.sh` makes the committed run anew.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { ExitCode } from "../schema/errors.ts";
import { nodeCommand } from "../substrate/substrate.ts";
import { LabCopy, lab, only, runFolder } from "./lab.ts";

/** Without loss a page load time is whole round trips, plus the time of packets and programs. Versions may not change the number of round trips. */
const allowedRoundTrips = 0.5;
/** All chunks of the run: one lane measures two links, and one makes the loads. */
const chunks = 2;
let folder: string;
let packagesMovedOn = false;
before(() => {
  folder = mkdtempSync(`${tmpdir()}/lab-`); // for the index that verify leaves next to a run's files
  cpSync("test/recorded-run", folder, { recursive: true });
});
after(() => folder && rmSync(folder, { recursive: true }));

/** Runs ./lab verify. It fails if a line differs although no version does; its exit code says whether a version differs. */
function verify(...args: string[]): string {
  const [program = "", ...words] = nodeCommand("harness/cli/main.ts", "verify", folder, ...args);
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  assert.ok(status === ExitCode.done || status === ExitCode.otherVersions, stdout + stderr);
  return stdout;
}

test("the recorded run is valid", () => {
  const loads = readFileSync(`${folder}/loads.jsonl`, "utf8").trim().split("\n").length;
  assert.match(verify(), new RegExp(`^Valid: ${loads} of ${loads} loads`));
});

test("made again, it is the same, or what differs in it is named", (t) => {
  const said = verify("--here", "--again", String(chunks));
  const made = said.slice(said.indexOf("Chunk "));
  const counts = [...made.matchAll(/^Chunk \d+, made again: (\d+) of (\d+) lines are the same/gm)];
  assert.equal(counts.length, chunks, made);
  if (counts.every(([, same, lines]) => same === lines)) return;
  t.diagnostic(made);
  packagesMovedOn = /^- versions\.guestRoot was /m.test(made);
  const compared = [...made.matchAll(/those of the (\d+) loads that lost no packet, by up to (\S+) round trips/g)];
  const loads = compared.reduce((sum, [, some]) => sum + Number(some), 0);
  assert.ok(loads > 0, "no load is left to compare");
  for (const [, , roundTrips] of compared) assert.ok(Number(roundTrips) < allowedRoundTrips, made);
});

test("where packages have moved on, two roots that are unpacked afresh give the same bytes", async (t) => {
  if (!packagesMovedOn) return t.skip("this machine's root is the one that the recorded run was made with");
  const one = await withoutRoot();
  const conditions = only("page=A", "servers=1", "initcwnd=10", "link=20x2-100ms-1%");
  const run = await lab(["run", "--clock", "virtual", "--lanes", "1", "--loads", "1", ...conditions], one);
  assert.equal(run.code, 0, run.stderr);
  const words = ["verify", `${one.folder}/${runFolder(run.stderr)}`, "--here", "--again", String(chunks)];
  const again = await lab(words, await withoutRoot());
  assert.equal(again.code, 0, again.stdout + again.stderr);
});

const copies: LabCopy[] = [];
after(() => {
  for (const copy of copies) copy.remove();
});

/** A copy of the checkout that has a kernel, but finds no root image that was made before. */
async function withoutRoot() {
  const copy = await LabCopy.make({ virtualClock: true });
  copies.push(copy);
  rmSync(`${copy.folder}/.lab/root`, { recursive: true });
  return { folder: copy.folder, env: { ...process.env, XDG_CACHE_HOME: `${copy.folder}/cache` } };
}
