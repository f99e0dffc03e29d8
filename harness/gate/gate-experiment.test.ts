import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries } from "../../axes/registries.ts";
import type { GivenPage } from "../../sites/given-page.ts";
import { conditionsOf } from "../plan/conditions.ts";
import { experimentSchema } from "../plan/experiment.ts";
import { gateComparison, gateExperiment } from "./gate-experiment.ts";

const registries = readRegistries();
const page = (name: string, hosts = 1): GivenPage => ({ path: name, name, hosts, sentences: [] });
const experimentOf = (after: GivenPage, before: GivenPage | null, links = ["Cable", "4G"]) =>
  gateExperiment({ after, before, documents: ["index.html"], links, protocol: "h2", loads: 10 }, registries);

test("both pages are loaded over each link, each page from its own number of hosts", () => {
  const { timeoutSeconds: _, ...experiment } = experimentOf(page("B", 2), page("A"));
  const conditions = conditionsOf(experiment, registries);
  assert.deepEqual(
    conditions.map(({ values }) => [values.page, values.servers, values.link, values.protocol]),
    [
      ["A", 1, "Cable", "h2"],
      ["A", 1, "4G", "h2"],
      ["B", 2, "Cable", "h2"],
      ["B", 2, "4G", "h2"],
    ],
  );
  assert.deepEqual(experiment.baseline, { page: "A", servers: 1 });
  assert.deepEqual(experiment.comparisons[gateComparison]!.option, { page: "B", servers: 2 });
  // The manifest stores the experiment in the format of an experiment file.
  assert.deepEqual(experimentSchema.parse(JSON.parse(JSON.stringify(experiment))), experiment);
});

test("the experiment has no comparison if there is no earlier page, or if both pages have the same files", () => {
  for (const before of [null, page("A")]) {
    const experiment = experimentOf(page("A"), before);
    assert.equal(conditionsOf(experiment, registries).length, 2);
    assert.deepEqual([experiment.comparisons, experiment.tables], [{}, []]);
  }
});

test("an unknown link is refused", () =>
  assert.throws(() => experimentOf(page("A"), null, ["Moon"]), /--link: unknown link "Moon"; known: .*Cable/));

test("both pages have the same random losses, whose seed comes from the earlier page, or from the only page", () => {
  const seedOf = (after: GivenPage, before: GivenPage | null) => {
    const { seed, sharesLosses } = experimentOf(after, before);
    assert.deepEqual(sharesLosses, { seed });
    return seed;
  };
  assert.equal(seedOf(page("B"), page("A")), seedOf(page("C"), page("A")));
  assert.equal(seedOf(page("A"), null), seedOf(page("B"), page("A")));
  assert.notEqual(seedOf(page("A"), page("B")), seedOf(page("B"), page("A")));
});
