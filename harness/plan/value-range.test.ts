import assert from "node:assert/strict";
import { test } from "node:test";
import { axisNamed } from "../../axes/registry.ts";
import { LabError } from "../../schema/errors.ts";
import { check } from "../../schema/yaml-file.ts";
import { experimentFile } from "./experiment.ts";
import { valuesIn } from "./select.ts";

const values = (name: string, list: string) => valuesIn(axisNamed(name, ""), list, "--with");

test("10..1000 means five values in equal logarithmic steps, rounded as the axis allows", () => {
  assert.deepEqual(values("queue", "10..1000"), [10, 32, 100, 316, 1000]);
  assert.deepEqual(values("queue", "10packets..1000packets"), [10, 32, 100, 316, 1000]);
  assert.deepEqual(values("loss", "0.1%..10%"), [0.1, 0.316, 1, 3.16, 10]);
  assert.deepEqual(values("rtt", "10ms..160ms"), [10, 20, 40, 80, 160]);
});

test("10..1000:3 means three values; values that are equal after rounding are merged", () => {
  assert.deepEqual(values("queue", "10..1000:3"), [10, 100, 1000]);
  assert.deepEqual(values("queue", "10..1000:2"), [10, 1000]);
  assert.deepEqual(values("queue", "1..3:5"), [1, 2, 3]);
  assert.deepEqual(values("queue", "5,10..1000:3"), [5, 10, 100, 1000]);
});

test("an invalid range is refused with the reason; a..b is accepted as the name of a page", () => {
  const refused = (name: string, list: string) => {
    try {
      return String(values(name, list));
    } catch (error) {
      assert.ok(error instanceof LabError);
      return error.message;
    }
  };
  assert.match(
    refused("queue", "1000..10"),
    /"1000\.\.10" is not a range: a range goes from a number above 0 to a larger one/,
  );
  assert.match(refused("rtt", "0..100"), /is not a range/);
  assert.match(refused("queue", "10..1000:1"), /a range of 1 values; 2 to 100 are allowed/);
  assert.match(refused("queue", "10..100001"), /"10\.\.100001" is not a whole number of packets or bytes/);
  assert.match(refused("rate", "10/1..20/2"), /is not a rate like/);
  assert.match(refused("reorder", "off..on"), /one of off, on/);
  assert.deepEqual(values("page", "a..b"), ["a..b"]);
});

test("experiments may have ranges among an axis' values", () => {
  const file = (queue: unknown[]) => ({
    ...{ title: "t", loads: 1 },
    axes: { page: ["A"], servers: [1], protocol: ["h1", "h2"], link: ["Cable"], initcwnd: [10], queue },
    baseline: { protocol: "h1" },
    comparisons: { "1": { title: "x", option: { protocol: "h2" } } },
  });
  assert.deepEqual(check(file([5, "10..1000"]), experimentFile, "x.yml").axes.queue, [5, 10, 32, 100, 316, 1000]);
  assert.throws(
    () => check(file(["1000..10"]), experimentFile, "x.yml"),
    /axes\.queue\.0: "1000\.\.10" is not a range/,
  );
  assert.throws(() => check(file([]), experimentFile, "x.yml"), /axes\.queue/);
});
