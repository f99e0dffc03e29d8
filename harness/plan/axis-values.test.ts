/** Any value of an axis, in a file or on the command line, is either accepted or refused with a usage error. None causes an internal error. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "../../axes/axis.ts";
import { readRegistries } from "../../axes/registries.ts";
import { allAxes, axes, axisNamed } from "../../axes/registry.ts";
import { shown } from "../../axes/values.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
import { chunkSchema } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import { check } from "../../schema/yaml-file.ts";
import { measuringFirst } from "../run/share-work.ts";
import { conditionsOf } from "./conditions.ts";
import { experimentProblems, experimentSchema } from "./experiment.ts";
import { replace, select, valuesIn } from "./select.ts";
import { trialOf } from "./trial.ts";

const registries = readRegistries();

test("each axis accepts its default value in both spellings: that of `list axes`, and that of ids and messages", () => {
  for (const axis of axes)
    for (const text of axis.default === undefined ? [] : [String(axis.default), textOf(axis, axis.default)])
      assert.deepEqual(valuesIn(axis, text, "--with"), [axis.default], `${axis.name}=${text}`);
});

const numbers = [10.5, -1, 0, -0, 1e-7, 1 / 3, 1e9, 1e300, Number.NaN, Number.POSITIVE_INFINITY];
const texts = [
  ...["", " ", "zzz", "on", "10ms", "10Mb/s", "10.5 packets", "4x", "1%", "1.2.3 ms", "NaN ms", "Infinity ms", "1e3"],
  ...["0x10", "10/1", "0/0", "-1/1", "..", "__proto__", "constructor", " 2 "],
];
const others = [null, true, [1], [], { a: 1 }, new Date(0), 10n];

const experimentWith = (axes: object) => ({
  ...{ title: "t", source: "s", loads: 1, seed: 1, timeout: "120 s" },
  axes: { page: ["A"], servers: [1], protocol: ["h1", "h2"], link: ["Cable"], initcwnd: [10], ...axes },
  baseline: { protocol: "h1" },
  comparisons: { "1": { title: "x", option: { protocol: "h2" } } },
  tables: [{ id: "1", title: "x", medians: ["1"] }],
});
const plain = check(experimentWith({}), experimentSchema, "x.yml");
const planned = conditionsOf(plain, registries);

/** Checks an experiment in the same way as `readExperiment`. */
function fromFile(axes: object): Condition[] {
  const experiment = check(experimentWith(axes), experimentSchema, "x.yml");
  const [problem] = experimentProblems(experiment, registries);
  if (problem) throw new LabError(ExitCode.usage, `${problem.path.join(".")}: ${problem.message}`);
  return conditionsOf(experiment, registries);
}

function fromTrial(name: string, text: string): Condition[] {
  const given = { protocol: "h1,h2", page: "A", [name]: text };
  const options = Object.entries(given).map(([one, list]) => {
    const axis = axisNamed(one, "");
    return { axis, values: valuesIn(axis, list, `--${one}`) };
  });
  return conditionsOf(trialOf(options, registries), registries);
}

const ofText: Record<string, (name: string, text: string) => Condition[]> = {
  "--with": (name, text) => conditionsOf(replace(plain, [`${name}=${text}`]), registries),
  "--only": (name, text) => select(planned, [`${name}=${text}`]),
  try: fromTrial,
};

/** Checks that a lane can read an accepted value, and that the message for a refused value names the axis and what is allowed. */
function look(name: string, value: unknown, make: () => Condition[], where: string): void {
  const what = `${where}: ${name} ${shown(value)}`;
  try {
    for (const condition of make()) {
      const chunk = {
        number: 0,
        calibrate: measuringFirst([{ condition }]),
        calibrations: {},
        registries,
        timeoutMs: 1000,
      };
      chunkSchema.parse({ kind: "loads", ...chunk, loads: [{ block: 1, attempt: 1, condition }] });
    }
  } catch (error) {
    assert.ok(error instanceof LabError, `${what}: ${(error as Error).stack}`);
    assert.equal(error.exitCode, ExitCode.usage, what);
    assert.ok(error.message.includes(name), `${what}: ${error.message}`);
    assert.match(
      error.message,
      / is not | is neither | like "|known: |allowed|as in |given twice|--compare|two values/,
      what,
    );
    assert.doesNotMatch(error.message, /Invalid input|Invalid option|Too small|\[object|undefined/, what);
  }
}

for (const { name } of allAxes)
  test(`${name}: each test value is accepted, or refused with a usage error, in a file, --with, --only and ./lab try`, () => {
    for (const value of [...numbers, ...texts, ...others]) {
      look(name, value, () => fromFile({ [name]: [value] }), "file");
      look(name, value, () => fromFile({ [name]: [value, value] }), "file, twice");
      if (typeof value === "object" || typeof value === "boolean") continue;
      for (const [where, make] of Object.entries(ofText)) look(name, value, () => make(name, String(value)), where);
    }
  });

test("the message for an invalid value quotes it and says what is allowed", () => {
  const messages: [object, RegExp][] = [
    [{ queue: [10.5] }, /axes\.queue\.0: "10\.5" is not a whole number of packets or bytes, as in "50 packets" or/],
    [{ rtt: [Number.NaN] }, /axes\.rtt\.0: "NaN" is not a value like "100 ms"/],
    [{ rtt: [null] }, /axes\.rtt\.0: "null" is not a value like "100 ms"/],
    [{ loss: [[1]] }, /axes\.loss\.0: \[ 1 \] is not a value like "1 %"/],
    [{ initrwnd: [{ a: 1 }] }, /axes\.initrwnd\.0: \{ a: 1 \} is not a whole number from 1 to 1000/],
    [{ keepAlive: [true] }, /axes\.keepAlive\.0: "true" is not one of on, off/],
    [{ tls: [1.4] }, /axes\.tls\.0: "1\.4" is not one of 1\.2, 1\.3/],
    [{ page: [""] }, /axes\.page\.0: "" is not a name/],
    [{ rate: [10] }, /axes\.rate\.0: "10" is not a rate like "10\/1"/],
  ];
  for (const [axes, message] of messages) assert.throws(() => fromFile(axes), message);
  const [first] = planned;
  assert.equal(fromFile({ tls: [1.3] })[0]!.values.tls, "1.3");
  assert.equal(first!.values.tls, "1.3");
});
