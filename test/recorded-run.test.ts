/**
 * Repeats a committed run on the virtual clock: the same versions give the same bytes. With other versions, page load times without
 * loss may differ by less than half a round trip. test/all/fresh-roots.test.ts makes a run of today's packages twice.
 * `test/record-run.sh` makes the committed run anew.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { ExitCode } from "../schema/errors.ts";
import { nodeCommand } from "../substrate/substrate.ts";

/** Without loss, a load takes whole round trips plus the time of packets and programs. Other versions may not change the number of round trips. */
const allowedRoundTrips = 0.5;
/** All chunks of the run: two measure a link each, the third makes the loads. */
const chunks = 3;
let folder: string;
before(() => {
  folder = mkdtempSync(`${tmpdir()}/lab-`);
  cpSync("test/recorded-run", folder, { recursive: true });
});
after(() => folder && rmSync(folder, { recursive: true }));

/** Runs ./lab verify, which fails if a line differs although no version differs. @returns its output */
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

test("the repeated run has the same lines, or page load times without loss differ by less than half a round trip", (t) => {
  const said = verify("--here", "--again", String(chunks));
  const made = said.slice(said.indexOf("Chunk "));
  const counts = [...made.matchAll(/^Chunk \d+, made again: (\d+) of (\d+) lines are the same/gm)];
  assert.equal(counts.length, chunks, made);
  if (counts.every(([, same, lines]) => same === lines)) return;
  t.diagnostic(made);
  const compared = [...made.matchAll(/those of the (\d+) loads that lost no packet, by up to (\S+) round trips/g)];
  const loads = compared.reduce((sum, [, some]) => sum + Number(some), 0);
  assert.ok(loads > 0, "no load is left to compare");
  for (const [, , roundTrips] of compared) assert.ok(Number(roundTrips) < allowedRoundTrips, made);
});
