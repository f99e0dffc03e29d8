import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries } from "../../axes/registries.ts";
import type { AdvisePlan } from "../plan/advise-plan.ts";
import { adviseExperiment } from "./advise-experiment.ts";

const registries = readRegistries();
const unchanged = { page: "shop", servers: 1, document: "index.html", protocol: "h2" };
const asked = { command: "./lab advise", loads: 5, seed: 1 };

function experimentFor(purpose: AdvisePlan["purpose"]) {
  const plan: AdvisePlan = {
    ...{ page: "shop", users: [{ link: "Cable", percent: 100 }], metric: "pageLoad", purpose, unchanged },
    changes: [
      { name: "protocol-h3", title: "serve it over HTTP/3", row: { ...unchanged, protocol: "h3" } },
      { name: "lazy-images", title: "load images lazily", row: { ...unchanged, document: "index.12345678.html" } },
    ],
    session: {
      id: "a",
      stage: 1,
      stack: {},
      minutes: 10,
      only: [],
      loads: 5,
      seed: 1,
      usedSeconds: 0,
      secondsPerLoad: 1,
    },
  };
  return adviseExperiment(plan, { ...unchanged, server: "nginx", initcwnd: 10 }, asked, registries);
}

test("the experiment that measures changes after a search has a comparison for each change: the changed page with the unchanged page", () => {
  const { comparisons, tables, baseline } = experimentFor("measure");
  assert.deepEqual(baseline, unchanged);
  assert.deepEqual(Object.values(comparisons), [
    { title: "serve it over HTTP/3", option: { protocol: "h3" } },
    { title: "load images lazily", option: { document: "index.12345678.html" } },
  ]);
  assert.deepEqual(
    tables.map((one) => "medians" in one && one.medians),
    [Object.keys(comparisons)],
  );
});

test("the experiment of a search has no comparisons, because loads that select the best changes overstate the savings of these changes", () => {
  const { comparisons, tables } = experimentFor("search");
  assert.deepEqual([comparisons, tables], [{}, []]);
});
