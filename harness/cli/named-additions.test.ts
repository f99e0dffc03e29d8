import assert from "node:assert/strict";
import { test } from "node:test";
import { blockRun } from "../record/find-run.ts";
import { experimentNamed, namesIn } from "./named-additions.ts";

const none = { experiments: [], figuresOf: [], runs: [] };
const names = (line: string) => namesIn(line.split(" "));

test("an argument that ends in .yml is an experiment only for commands and options that accept an experiment", () => {
  assert.deepEqual(names("run ../paper/small.yml --loads 1"), { ...none, experiments: ["../paper/small.yml"] });
  assert.deepEqual(names("plan small"), none);
  assert.deepEqual(names("gate dist --config pageload.yml"), none);
  assert.deepEqual(names(`tables ${blockRun} --experiment=a/b.yml`), {
    ...none,
    figuresOf: ["a/b.yml"],
    runs: [blockRun],
  });
});

test("runs are found in a command line by name or path; the values of options such as --format are not mistaken for runs", () => {
  assert.deepEqual(names("verify block --json").runs, [blockRun]);
  assert.deepEqual(names(`compare ${blockRun}/ block --format md`).runs, [blockRun, blockRun]);
  assert.deepEqual(names("report --beside block block --out x").runs, [blockRun, blockRun]);
  assert.deepEqual(names("run --resume=block").runs, [blockRun]);
  assert.deepEqual(names("claims"), none);
});

test("an experiment can be given by its name or its path; the path of a missing file is an error", () => {
  assert.equal(experimentNamed("h1-h2-h3"), "h1-h2-h3");
  assert.equal(experimentNamed("experiments/h1-h2-h3.yml"), "h1-h2-h3");
  assert.throws(() => experimentNamed("experiments/none.yml"), /experiments\/none\.yml: there is no such file/);
});
