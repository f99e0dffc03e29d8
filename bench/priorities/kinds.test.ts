import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { kinds } from "./kinds.ts";

const published = JSON.parse(readFileSync(`${import.meta.dirname}/asked-in-2023.json`, "utf8")) as Record<
  string,
  Record<string, string>
>;
/** The files that the published page loaded only to show the log of its requests. */
const notOfThePage = ["/test/qlog-processor.js", "/test/assets/qlog-processor.js", "/qlog.json"];

test("each resource of the published page belongs to a kind, and each kind has a file in pages/priorities", () => {
  for (const byPath of Object.values(published))
    for (const path of Object.keys(byPath))
      assert.ok(notOfThePage.includes(path) || kinds.some((kind) => `/test/${kind.path}` === path), path);
  for (const { file } of kinds) assert.ok(existsSync(`pages/priorities/${file}`), file);
  for (const values of [kinds.map(({ title }) => title), kinds.map(({ path }) => path)])
    assert.equal(new Set(values).size, kinds.length);
});
