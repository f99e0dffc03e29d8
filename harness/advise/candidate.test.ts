/** Checks which changes can be tried on a page, according to one load of the page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries } from "../../axes/registries.ts";
import { editableFolder } from "../../sites/edits/editable-page.ts";
import { requestedBy } from "../../sites/edits/requested-by.ts";
import { isImported, loadPage } from "../../sites/pages.ts";
import { startFile } from "../../sites/paths.ts";
import { conditionOf } from "../plan/conditions.ts";
import { candidatesOf, isPossible, together } from "./candidate.ts";
import type { SeenPage, Tried } from "./change.ts";
import { changeKinds, kindsNamed } from "./registry.ts";

const registries = readRegistries();

function seenAs(name: string, largestImage: string | null = null): SeenPage {
  const loaded = loadPage(name);
  assert.ok(isImported(loaded));
  const page = editableFolder(loaded);
  const requests = requestedBy(page, startFile).map(({ path, from }) => ({
    ...{ path, host: "s1.lab", bytes: loaded.files.get(path)?.bytes ?? 0 },
    initiator: from === "style" ? ("style" as const) : null,
  }));
  return { page, document: startFile, requests, largestImage, imagesInWindow: new Set() };
}

function tried(page: string, given: Record<string, string | number> = {}, seen: SeenPage | null = seenAs(page)) {
  const stack = { page, servers: 1, protocol: "h2", initcwnd: 10, link: "Cable", ...given };
  return {
    stack,
    tried: { now: conditionOf(stack, registries).values, metric: "pageLoad", seen, registries } satisfies Tried,
  };
}

const namesOf = ({ stack, tried: of }: ReturnType<typeof tried>) =>
  candidatesOf(changeKinds, of, stack).candidates.map(({ name }) => name);

test("files of an imported page can be left out, halved, inlined, loaded lazily or prioritized", () => {
  const names = namesOf(tried("article", {}, seenAs("article", "img/0.jpg")));
  for (const name of ["without:img/0.jpg", "without-images", "half:img/0.jpg", "inline:css/style.css"])
    assert.ok(names.includes(name), `${name} is not among ${names.join(", ")}`);
  assert.ok(names.includes("fetchpriority:img/0.jpg"));
  assert.ok(namesOf(tried("shop", { servers: 2 })).includes("lazy-images"));
  assert.ok(namesOf(tried("shop", { servers: 2 })).includes("one-host"));
});

test("if browsers cannot paint the first half of an image, halving it is tried for page load time, but not for paint times", () => {
  const seen = seenAs("article");
  const webp = Buffer.concat([Buffer.from("RIFF0000WEBP"), Buffer.alloc(8000)]);
  const contentOf = (file: string) => (file === "img/0.jpg" ? webp : seen.page.contentOf(file));
  const { stack, tried: of } = tried("article", {}, { ...seen, page: { ...seen.page, contentOf } });
  const isHalved = (metric: string) =>
    candidatesOf(changeKinds, { ...of, metric }, stack).candidates.some(({ name }) => name === "half:img/0.jpg");
  const found = [isHalved("pageLoad"), isHalved("largestContentfulPaint")];
  assert.deepEqual(found, [true, false]);
});

test("changes of the stack do not include the present protocol, server or initial window", () => {
  const names = namesOf(tried("article"));
  for (const name of ["protocol-h1", "protocol-h3", "initial-window-20", "initial-window-32", "congestion-bbr"])
    assert.ok(names.includes(name), name);
  assert.ok(!names.includes("protocol-h2"));
  assert.ok(!names.includes("server-nginx"));
  assert.ok(!namesOf(tried("article", { initcwnd: 32 })).some((name) => name.startsWith("initial-window")));
});

test("for a generated page, only changes of the servers' stack are candidates", () => {
  const names = namesOf(tried("C", {}, null));
  assert.ok(names.includes("initial-window-32"));
  assert.ok(!names.some((name) => name.includes(":") || name.endsWith("-images")), names.join());
});

test("a change whose axis values are impossible together is listed as impossible, with the reason", () => {
  const { stack, tried: of } = tried("article");
  const { impossible } = candidatesOf(changeKinds, of, stack);
  const found = impossible.find(({ name }) => name === "priorities-honoured");
  assert.match(found?.reason ?? "", /over h2 no server can be configured to honour or ignore priorities/);
});

test("a change that the server program does not support is listed as impossible, with the programs that support it", () => {
  const { stack, tried: of } = tried("article", { protocol: "h3" });
  const { impossible } = candidatesOf(changeKinds, of, stack);
  const found = impossible.find(({ name }) => name === "priorities-honoured");
  assert.match(found?.reason ?? "", /server nginx cannot be configured to honour .*; use aioquic, or /);
});

test("a combination applies its edits of the page one after the other, and has the axis values of all its changes", () => {
  const { stack, tried: of } = tried("article");
  const { candidates } = candidatesOf(changeKinds, of, stack);
  const changesOf = (names: string[]) =>
    names.flatMap((name) => candidates.find((one) => one.name === name)?.changes ?? []);
  const both = together(changesOf(["half:img/0.jpg", "inline:css/style.css", "initial-window-32"]), of, stack);
  assert.ok(isPossible(both));
  assert.deepEqual(both.values, { initcwnd: 32 });
  assert.equal(both.edited?.added.size, 1);
  assert.match(String(both.edited?.html), /<style/);
});

test("changes cannot be combined if both set the same axis, or if after the first edit the second edit changes nothing", () => {
  const { stack, tried: of } = tried("article");
  const { candidates } = candidatesOf(changeKinds, of, stack);
  const changesOf = (names: string[]) =>
    names.flatMap((name) => candidates.find((one) => one.name === name)?.changes ?? []);
  const windows = together(changesOf(["initial-window-20", "initial-window-32"]), of, stack);
  assert.equal(!isPossible(windows) && windows.reason, "two changes set initcwnd");
  const twice = together(changesOf(["without-images", "half:img/0.jpg"]), of, stack);
  assert.equal(!isPossible(twice) && twice.reason, "it changes nothing in the page's HTML");
});

test("only the kinds of changes that the user names are tried, and an unknown kind is refused", () => {
  const { stack, tried: of } = tried("article");
  const named = (kinds: string[]) => candidatesOf(kindsNamed(kinds), of, stack).candidates.map(({ name }) => name);
  const some = named(["protocol", "initial-window"]);
  assert.ok(some.length > 1 && some.every((name) => /^(protocol|initial-window)-/.test(name)), some.join(" "));
  assert.throws(() => kindsNamed(["protocol", "magic"]), /unknown kind of change "magic"; known: .*protocol/);
});
