/** Tests that loads show every configured value: for each axis, a committed load confirms its own value and contradicts another value. */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { type Axis, judgeAxis, type Verdict } from "../axes/axis.ts";
import { axes } from "../axes/registry.ts";
import { conditionsOfRun, type Manifest } from "../harness/record/manifest.ts";
import { readRun } from "../harness/record/records.ts";
import type { AxisName, AxisValue, Condition } from "../schema/plan.ts";
import type { GoodLoad } from "../schema/records.ts";

/** The number of loads tried per condition: in a single load, losses or short responses may hide a value. */
const loadsTried = 3;

const contradicted = (verdict: Verdict) => typeof verdict === "object" && "contradicts" in verdict;

/** Whether the axis confirms the load's own value, and would contradict `value` if the load's line claimed it. */
function caught(
  axis: Axis,
  value: AxisValue,
  load: GoodLoad,
  { values }: Condition,
  { registries }: Manifest,
): boolean {
  const proves = (configured: AxisValue) =>
    judgeAxis(axis, { ...values, [axis.name]: configured }, load.evidence, registries);
  return proves(values[axis.name as AxisName] as AxisValue) === "confirmed" && contradicted(proves(value));
}

/** Finds the axes that contradict a load of the run if the load's line claims another condition's value, or the axis's example. */
function caughtIn(folder: string, wanted: ReadonlySet<Axis>): Axis[] {
  const run = readRun(folder);
  const conditions = conditionsOfRun(run.manifest);
  const byId = new Map(conditions.map((condition) => [condition.id, { condition, left: loadsTried }]));
  const others = new Map(
    [...wanted].map((axis) => {
      // An example may be a name that the run's registries lack.
      const example = axis.known ? { success: false as const } : axis.value.safeParse(axis.example);
      const used = conditions.map(({ values }) => values[axis.name as AxisName] as AxisValue);
      return [axis, new Set([...used, ...(example.success ? [example.data as AxisValue] : [])])];
    }),
  );
  const found = new Set<Axis>();
  for (const line of run.loads()) {
    if (!("load" in line) || !line.load.ok) continue;
    const of = byId.get(line.load.condition);
    if (!of || of.left-- <= 0) continue;
    for (const [axis, values] of others)
      if (
        !found.has(axis) &&
        [...values].some((value) => caught(axis, value, line.load as GoodLoad, of.condition, run.manifest))
      )
        found.add(axis);
  }
  return [...found];
}

const runs = ["today", "papers"].flatMap((kind) =>
  readdirSync(`results/${kind}`)
    .map((name) => `results/${kind}/${name}`)
    .filter((folder) => existsSync(`${folder}/run.json`)),
);

/** Axes that need recorded pages or links with varying rates, which no committed run has. Their own tests have such loads. */
const elsewhere = ["serverTimes", "hostRtts", "trace"];

const known = new Set(runs.flatMap((folder) => Object.keys(readRun(folder).manifest.registries.defaults)));
/** Axes that were added after the last committed run: no committed load can show them. */
const isYounger = ({ name, default: own }: Axis) => own !== undefined && !known.has(name);

/** Whether an axis confirms both its default and its example for a load that is older than the axis. */
function confirmsAnything(axis: Axis): boolean {
  const run = readRun(runs[0]!);
  const [condition] = conditionsOfRun(run.manifest);
  const line = [...run.loads()].find((line) => "load" in line && line.load.ok) as { load: GoodLoad };
  const proves = (value: AxisValue) =>
    axis.proves(
      value as never,
      { ...condition!.values, [axis.name]: value },
      line.load.evidence,
      run.manifest.registries,
    );
  return [axis.default, axis.value.parse(axis.example)].every((value) => proves(value as AxisValue) === "confirmed");
}

test("an axis newer than all committed runs does not confirm both its default and its example for an older load", () => {
  for (const axis of axes.filter(isYounger)) assert.ok(!confirmsAnything(axis), axis.name);
  const scaling = axes.find(({ name }) => name === "windowScaling")!;
  assert.ok(!confirmsAnything(scaling));
  assert.ok(confirmsAnything({ ...scaling, proves: () => "confirmed" }));
});

test("each axis of the committed runs contradicts a load whose record is changed to another value of the axis", () => {
  const wanted = new Set(axes.filter((axis) => !elsewhere.includes(axis.name) && !isYounger(axis)));
  for (const folder of runs) {
    for (const axis of caughtIn(folder, wanted)) wanted.delete(axis);
    if (!wanted.size) break;
  }
  assert.deepEqual(
    [...wanted].map(({ name }) => name),
    [],
  );
});
