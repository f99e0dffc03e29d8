/** The loads of committed runs are valid; what is missing, torn or cut short is named. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import type { GoodLoad, LoadRecord } from "../../schema/records.ts";
import { type LoadLine, readSavedRun, type SavedRun } from "../record/records.ts";
import { blockRun, openRun, virtualBlockRun } from "../record/run-folder.ts";
import { verdictOf } from "../report/verdict.ts";
import { verdictOn } from "./judged-loads.ts";

const read = (name: string): SavedRun => {
  const { folder, manifest } = openRun(name);
  return readSavedRun(folder, manifest);
};

for (const [name, loads, clock] of [
  [blockRun, 288, "real"],
  [virtualBlockRun, 288, "virtual"],
] as const)
  test(`every load of ${name} is valid`, () => {
    const run = read(name);
    const verdict = verdictOn(run);
    assert.equal(run.manifest.clock, clock);
    assert.equal(verdictOf(verdict).sentence, `Valid: ${loads} of ${loads} loads`);
    assert.equal(verdict.tornLines, 0);
    // In a block of one load each, what the link's chance hid no other load shows.
    for (const { condition } of verdict.neverConfirmed) assert.match(condition, /-1%\//);
  });

const ofExperiments = ["papers", "today"].flatMap((kind) =>
  readdirSync(`results/${kind}`).map((name) => `${kind}/${name}`),
);
for (const name of ofExperiments)
  test(`every load of ${name} is valid`, () => {
    const run = read(name);
    const verdict = verdictOn(run);
    const { loads, missing } = verdict;
    assert.equal(verdictOf(verdict).sentence, `Valid: ${loads} of ${loads} loads`);
    assert.deepEqual([missing, loads > 0], [0, true]);
  });

const saved = read(virtualBlockRun);
const line = { bytes: Buffer.alloc(0), offset: 0 };
const loads = [...saved.loads()].flatMap((one) => ("load" in one ? [one.load] : []));
/** The run with these lines. */
const withLoads = (records: LoadRecord[], others: LoadLine[] = []): SavedRun => ({
  ...saved,
  folder: "/nonexistent", // so that no index is kept of it
  *loads() {
    for (const load of records) yield { line, load, hash: "" };
    yield* others;
  },
});
const isVictim = (load: LoadRecord) => load.ok && load.condition === "A/2s/10x1-100ms-0%/h2/iw3";
const victim = loads.find(isVictim) as GoodLoad;

test("missing and torn lines are counted, and whole ones that are no records are named", () => {
  const others: LoadLine[] = [
    { line, torn: true },
    { line: { ...line, offset: 7 }, problem: "evidence: Required" },
  ];
  const rest = loads.filter((load) => !isVictim(load));
  const { missing, tornLines, problems } = verdictOn(withLoads(rest, others));
  assert.deepEqual([missing, tornLines, problems], [1, 1, ["loads.jsonl, byte 7: evidence: Required"]]);
});

test("a condition of which --until knew enough misses nothing", () => {
  const five = [1, 2, 3, 4, 5].map((block) => ({ ...victim, block }));
  const only = ["page=A", "servers=2", "link=10x1-100ms-0%", "protocol=h2", "initcwnd=3"];
  const run = { ...withLoads(five), manifest: { ...saved.manifest, only, loads: 20 } };
  assert.equal(verdictOn(run).missing, 15);
  assert.equal(verdictOn({ ...run, manifest: { ...run.manifest, untilPercent: 1 } }).missing, 0);
});
