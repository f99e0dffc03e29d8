import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries } from "../../axes/registries.ts";
import { axisNamed } from "../../axes/registry.ts";
import { loadPage, sizeOf } from "../../sites/pages.ts";
import { conditionsOf } from "./conditions.ts";
import { experimentSchema } from "./experiment.ts";
import { valuesIn } from "./select.ts";
import { type Given, serverOf, trialOf } from "./trial.ts";

const registries = readRegistries();
const given = (lists: Record<string, string>): Given[] =>
  Object.entries(lists).map(([name, list]) => {
    const axis = axisNamed(name, "test");
    return { axis, values: valuesIn(axis, list, "test") };
  });
const trial = (lists: Record<string, string>, compare?: string) => trialOf(given(lists), registries, compare);

test("--page A --protocol h1,h2 --link Cable,4G compares h2 with h1 over both links, in a table of medians", () => {
  const { timeoutSeconds: _, ...experiment } = trial({ page: "A", protocol: "h1,h2", link: "Cable,4G" });
  assert.deepEqual(experiment.baseline, { protocol: "h1" });
  assert.deepEqual(experiment.comparisons, { 1: { title: "h2", option: { protocol: "h2" } } });
  assert.deepEqual(experiment.tables, [{ id: "1", title: experiment.title, medians: ["1"] }]);
  assert.equal(conditionsOf(experiment, registries).length, 4);
  // The manifest can store this experiment in the form of an experiment from a file.
  assert.deepEqual(experimentSchema.parse(JSON.parse(JSON.stringify(experiment))), experiment);
});

test("pages, servers or links are compared only if no other axis has several values, or if --compare names them", () => {
  const lists = { page: "A,C", link: "Cable,4G", protocol: "h1,h2" };
  assert.deepEqual(trial(lists).baseline, { protocol: "h1" });
  assert.deepEqual(trial(lists, "page").baseline, { page: "A" });
  assert.deepEqual(trial({ page: "A,C", servers: "1" }).baseline, { page: "A" });
  assert.throws(
    () => trial(lists, "servers"),
    /--compare servers: give it two values or more; axes with several values: page, link, protocol/,
  );
});

test("if all pages are recorded pages, the server is replay by default", () => {
  const { article } = registries.pages;
  const recorded = { url: "http://a.test/", hosts: [["a.test"]] };
  const known = {
    ...registries,
    pages: { ...registries.pages, site: { ...article, recorded } as typeof article & {} },
  };
  const pages = (...values: string[]) => [{ axis: axisNamed("page", "test"), values }];
  assert.deepEqual(serverOf(pages("site"), known), { server: ["replay"] });
  assert.deepEqual(serverOf(pages("site", "A"), known), {}, "no server has both kinds of pages");
  assert.deepEqual(serverOf(pages("article"), known), {});
});

test("--rtt 10ms,20ms,30ms --link Cable,4G compares the RTTs, although each link has an RTT of its own", () => {
  const { baseline, comparisons, axes } = trial({ rtt: "10ms,20ms,30ms", link: "Cable,4G" });
  assert.deepEqual(baseline, { rtt: 10 });
  assert.deepEqual(
    Object.values(comparisons).map(({ option }) => option),
    [{ rtt: 20 }, { rtt: 30 }],
  );
  assert.deepEqual(axes.link, ["Cable", "4G"]);
});

test("the time-out for a slow link is more than 3 times as long as sending the page's bytes takes", () => {
  const seconds = (link: string) => trial({ link, protocol: "h1,h2" }).timeoutSeconds;
  const sendingSeconds = sizeOf(loadPage("A")).bytes / ((registries.links.Dial!.downMbps * 1e6) / 8);
  assert.ok(seconds("FIOS") < 130 && seconds("Dial") > 3 * sendingSeconds);
});

const refused: [Record<string, string>, RegExp][] = [
  [{ page: "A" }, /there is nothing to compare: give an axis two values or more, as in --protocol h1,h2/],
  [{ link: "Cable,Moon" }, /--link: unknown link "Moon"; known: .*Cable/],
  [{ link: "Cable,Cable" }, /--link: "Cable" is given twice/],
  [{ link: "Cable,4G", rtt: "10ms" }, /--link is compared, and each of its values sets rtt: leave out --rtt/],
];
for (const [lists, message] of refused)
  test(`a trial with ${JSON.stringify(lists)} is refused`, () => assert.throws(() => trial(lists), message));
