import assert from "node:assert/strict";
import { test } from "node:test";
import { conditions, registries } from "../tables/synthetic-loads.fixture.ts";
import { hostCountOf, serversOf, sitePathsOf } from "./site-paths.ts";

const imported = { sha256: "", learnt: {} };
const chunk = { kind: "loads" as const, number: 0, calibrate: [], calibrations: {}, timeoutMs: 0 };
const pages = { ...registries.pages, mine: imported };
const asked = (page: string) =>
  conditions({ page: ["B"], servers: [2], protocol: ["h2"] }).map((condition) => ({
    ...condition,
    settings: { ...condition.settings, page: { ...condition.settings.page, name: page } },
  }));

const mine = [".server-times.json", ".stamp.json", "2-h2"].map((path) => `imported/mine/${path}`);

test("a chunk needs the paths of the warm-up page and of its loads' pages; of an imported page, only the variants (number of hosts, protocol) that it loads", () => {
  const loads = ["B", "mine"].flatMap(asked).map((condition) => ({ block: 1, attempt: 1, condition }));
  const paths = ["A", "B", ...mine];
  assert.deepEqual(sitePathsOf({ ...chunk, loads, registries: { ...registries, pages } }), paths);
});

test("a chunk that learns pages needs these pages and the warm-up page; a chunk that only measures links needs only the warm-up page", () => {
  const learning = {
    kind: "learn" as const,
    number: 0,
    conditions: asked("mine"),
    timeoutMs: 0,
    registries: { ...registries, pages },
  };
  assert.deepEqual(sitePathsOf(learning), ["A", ...mine]);
  assert.deepEqual(sitePathsOf({ ...chunk, loads: [], registries }), ["A"]);
});

test("for a chunk that only measures links, serversOf returns the measurements' server software, which the lane starts", () => {
  const calibrate = conditions({ server: ["caddy"] }).map(({ settings }) => settings);
  assert.deepEqual(serversOf({ ...chunk, calibrate, loads: [], registries }), ["caddy"]);
});

test("hostCountOf returns the largest number of hosts among a chunk's loads, and 1 if the chunk only measures links", () => {
  const loads = conditions({ page: ["A"], servers: [1, 2] }).map((condition) => ({ block: 1, attempt: 1, condition }));
  assert.equal(hostCountOf({ ...chunk, loads, registries }), 2);
  assert.equal(hostCountOf({ ...chunk, loads: [], registries }), 1);
});
