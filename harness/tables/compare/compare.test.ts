import assert from "node:assert/strict";
import { test } from "node:test";
import { judgedLoads } from "../../judge/run/judged-loads.ts";
import { blockRun } from "../../record/find-run.ts";
import { readSavedRun } from "../../record/records.ts";
import { openRun } from "../../record/run-folder.ts";
import { type ComparedCondition, type ComparedRun, compareRuns } from "./compare.ts";
import { comparisonMarkdown } from "./compare-text.ts";

const { folder, manifest } = openRun(blockRun);
const marked = [...judgedLoads(readSavedRun(folder, manifest))];
const reference: ComparedRun = { manifest, loads: marked };
const conditions = [...new Set(marked.map(({ condition }) => condition))];
const [first = "", second = ""] = conditions;

/** A run of two conditions in which each block repeats the recorded first block, with times from `timeMs`. */
function run(timeMs: (block: number, condition: string) => number, processorMs = 0, blocks = 8): ComparedRun {
  const base = marked.filter((load) => load.ok && load.block === 1 && [first, second].includes(load.condition));
  const loads = Array.from({ length: blocks }, (_, i) =>
    base.map((load) => {
      const metrics = { ...load.metrics, pageLoadMs: timeMs(i + 1, load.condition) };
      return { ...load, metrics, seen: { ...load.seen!, processorMs }, block: i + 1 };
    }),
  ).flat();
  return { manifest, loads };
}

const reasonOf = (a: ComparedRun, b: ComparedRun): ComparedCondition => compareRuns(a, b).compared[0]!;
const steady = (ms: number) => (block: number) => ms + (block % 2);

test("if a run is compared with itself, every condition has the ratio 1 and the reason 'same'", () => {
  const { compared, unmatched } = compareRuns(reference, reference);
  assert.equal(compared.length, conditions.length);
  assert.equal(unmatched, 0);
  assert.ok(compared.every(({ ratio, reason }) => ratio.value === 1 && reason === "same"));
});

test("a difference between two runs has a reason: same, chance, processor (CPU time), ranks, no interval, or unknown", () => {
  assert.equal(reasonOf(run(steady(1000)), run(steady(1010))).reason, "same");
  assert.equal(
    reasonOf(
      run((block) => 500 * block),
      run((block) => 550 * block),
    ).reason,
    "chance",
  );
  assert.equal(reasonOf(run(steady(1000)), run(steady(1100), 200)).reason, "processor");
  assert.equal(reasonOf(run(steady(1100), 200), run(steady(1000))).reason, "processor");
  assert.equal(reasonOf(run(steady(1000)), run(steady(1500), 200)).reason, "unknown");
  // Two modes: the runs' medians are in different modes, and the interval spans both.
  const modes = (share: number) => (block: number) => (block % 10 < share ? 1000 : 2000) + block;
  assert.equal(reasonOf(run(modes(9), 0, 20), run(modes(4), 0, 20)).reason, "ranks");
  assert.equal(reasonOf(run(modes(6), 0, 20), run(modes(4), 0, 20)).reason, "chance");
  assert.equal(
    reasonOf(run(steady(1000)), run(steady(1500), 200, 4)).reason,
    "no interval",
    "four blocks have no interval, so no difference is called significant",
  );
});

test("the interval contains the ratio; conditions with loads in only one run are counted", () => {
  const { ratio, interval } = reasonOf(
    run((block) => 1000 + block),
    run((block) => 2000 + block),
  );
  assert.ok(interval && interval.low < ratio.value! && ratio.value! < interval.high);
  assert.equal(compareRuns(run(steady(1000)), reference).unmatched, conditions.length - 2);
});

test("if one run's loads never ended, the ratio is only a bound; if neither run's loads ended, there is no ratio", () => {
  const never = (from: ComparedRun): ComparedRun => ({
    ...from,
    loads: [...from.loads].map((load) => ({ ...load, observed: "longer" as const })),
  });
  const [ended, endless] = [run(steady(1000)), never(run(steady(1000)))];
  const timeoutMs = manifest.timeoutSeconds * 1000;
  const slower = reasonOf(ended, endless);
  assert.equal(slower.ratio.bound, "at least");
  assert.ok(Math.abs(slower.ratio.value! / (timeoutMs / 1000) - 1) < 0.01, `${slower.ratio.value}`);
  assert.equal(slower.interval!.high, Infinity);
  assert.equal(reasonOf(endless, ended).ratio.bound, "at most");
  const both = compareRuns(endless, endless);
  assert.equal(both.compared[0]!.reason, "never ended");
  const text = comparisonMarkdown(compareRuns(ended, endless), [
    { name: "a", clock: "real" },
    { name: "b", clock: "real" },
  ]);
  assert.match(text, /never ended \| +≥\d+\.\d{3} \| +≥\d+\.\d{3} /);
  assert.doesNotMatch(text, /NaN|Infinity/);
});

const names: Parameters<typeof comparisonMarkdown>[1] = [
  { name: "one", clock: "real" },
  { name: "two", clock: "virtual" },
];

test("conditions are printed with the largest difference first", () => {
  const comparison = compareRuns(
    run(steady(1000)),
    run((block, condition) => steady(condition === second ? 3000 : 1000)(block)),
  );
  const text = comparisonMarkdown(comparison, names);
  assert.match(text, /first: one, real clock; second: two, virtual clock/);
  assert.ok(text.indexOf(`| ${second}`) < text.indexOf(`| ${first}`));
});

test("the text counts the intervals that do not contain 1, even if the two medians hardly differ", () => {
  const comparison = compareRuns(
    run(steady(1000)),
    run((block, condition) => steady(condition === second ? 1010 : 1000)(block)),
  );
  const text = comparisonMarkdown(comparison, names);
  assert.match(text, /^- same: 2 conditions/m);
  assert.match(text, /^- intervals that do not contain 1: 1 of 2; expected by chance alone: 0$/m);
  assert.match(text, /^\| all +\| +2 \| +2 \| +2 \| +1 \|/m);
});

test("the text says that an interval needs 5 blocks if a run has 3 blocks, but not if it has 5", () => {
  const of = (blocks: number) =>
    comparisonMarkdown(compareRuns(run(steady(1000)), run(steady(1500), 0, blocks)), names);
  assert.match(of(3), /- no interval: 2 conditions, .*: 3 blocks are too few for a 95% interval: 5 are needed$/m);
  assert.match(
    of(5),
    /- no interval: 0 conditions, medians more than 2% apart, but there is no interval, so chance may be the cause$/m,
  );
});
