import assert from "node:assert/strict";
import { test } from "node:test";
import type { GeneratedPage, ImportedPage, LearntRequest } from "../../schema/registries.ts";
import type { Settings } from "../../schema/settings.ts";
import { registries } from "../tables/synthetic-loads.fixture.ts";
import { isLong } from "./visit.ts";

const megabyte = 1e6;
const isLongWith = (page: GeneratedPage | ImportedPage) =>
  isLong({ page: { name: "one" } } as Settings, { ...registries, pages: { one: page } });
const generated = (bodyBytes: number): GeneratedPage => ({ requests: 2, bodyBytes, objects: {} });
const imported = (...sizes: number[]): ImportedPage => ({
  sha256: "",
  learnt: Object.fromEntries(sizes.map((bytes, i) => [`variant ${i}`, [{ bytes } as LearntRequest]])),
});

test("`isLong` is true if twice a load's minimum number of frames exceeds the room in a capture's ring", () => {
  assert.equal(isLongWith(generated(14 * megabyte)), false);
  assert.equal(isLongWith(generated(15 * megabyte)), true);
});

test("for an imported page, `isLong` is true until the page is learnt, and after that if one of the page's variants is long", () => {
  assert.equal(isLongWith(imported()), true);
  assert.equal(isLongWith(imported(megabyte)), false);
  assert.equal(isLongWith(imported(megabyte, 15 * megabyte)), true);
});
