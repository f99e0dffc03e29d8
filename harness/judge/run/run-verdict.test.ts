/** A run's verdict counts missing loads and torn lines, and names lines that are not records. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cause } from "../../../schema/failure.ts";
import type { GoodLoad, LoadRecord } from "../../../schema/records.ts";
import { blockRun } from "../../record/find-run.ts";
import { type LoadLine, readSavedRun, type SavedRun } from "../../record/records.ts";
import { openRun } from "../../record/run-folder.ts";
import { verdictOn } from "./judged-loads.ts";

const { folder, manifest } = openRun(blockRun);
const saved = readSavedRun(folder, manifest);
const line = { bytes: Buffer.alloc(0), offset: 0 };
const loads = [...saved.loads()].flatMap((one) => ("load" in one ? [one.load] : []));
/** Makes a run with these lines. */
const withLoads = (records: LoadRecord[], others: LoadLine[] = []): SavedRun => ({
  ...saved,
  folder: "/nonexistent", // so that no index is kept
  *loads() {
    for (const load of records) yield { line, load, hash: "" };
    yield* others;
  },
});
const isVictim = (load: LoadRecord) => load.ok && load.condition === "A/2s/10x1-100ms-0%/h2/iw3";
const victim = loads.find(isVictim) as GoodLoad;

test("missing loads and torn lines are counted, and complete lines that are not records are named", () => {
  const others: LoadLine[] = [
    { line, torn: true },
    { line: { ...line, offset: 7 }, problem: "evidence: Required" },
  ];
  const rest = loads.filter((load) => !isVictim(load));
  const { missing, tornLines, problems } = verdictOn(withLoads(rest, others));
  assert.deepEqual([missing, tornLines, problems], [1, 1, ["loads.jsonl, byte 7: evidence: Required"]]);
});

test("planned loads without a record are counted as missing", () => {
  const five = [1, 2, 3, 4, 5].map((block) => ({ ...victim, block }));
  const only = ["page=A", "servers=2", "link=10x1-100ms-0%", "protocol=h2", "initcwnd=3"];
  const run = { ...withLoads(five), manifest: { ...saved.manifest, only, loads: 20 } };
  assert.equal(verdictOn(run).missing, 15);
});

test("a link's losses include those of loads that timed out, but not those of refused loads", () => {
  const lossy = loads.find(({ condition }) => condition === "A/1s/10x1-100ms-1%/h1/iw10") as GoodLoad;
  const { ok: _, pageLoadMs: __, evidence, ...rest } = lossy;
  const { link } = evidence;
  const failed = (cause: Cause, timing: Record<string, number>): LoadRecord => ({
    ...{ ...rest, ok: false, reason: "it has none", cause },
    evidence: { ...evidence, timing, link: { ...link, down: { ...link.down, lostPackets: 50 } } },
  });
  const lostWith = (load: LoadRecord) =>
    verdictOn(withLoads([load])).losses.find(({ direction }) => direction === "down")?.lostPackets;
  assert.equal(lostWith(failed("time-out", {})), 50);
  assert.equal(lostWith(failed("evidence", evidence.timing)), undefined);
});
