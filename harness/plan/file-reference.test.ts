/** docs/files.md lists the keys of the files that people write. With UPDATE=1 in the environment, this test rewrites that list from the schemas. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "yaml";
import { fileParts } from "./file-parts.fixture.ts";
import { sectionOf } from "./file-reference.fixture.ts";

const path = "docs/files.md";
const [begin, end] = ["<!-- keys: written by file-reference.test.ts -->", "<!-- /keys -->"];

test("docs/files.md lists the keys of each file as the schemas define them", () => {
  const text = readFileSync(path, "utf8");
  const [before, rest] = text.split(begin) as [string, string | undefined];
  const [, after] = rest?.split(end) ?? [];
  assert.ok(after !== undefined, `${path} has no markers for the keys`);
  const right = `${before}${begin}\n\n${fileParts.map(sectionOf).join("\n\n")}\n\n${end}${after}`;
  if (process.env.UPDATE) writeFileSync(path, right);
  assert.equal(readFileSync(path, "utf8"), right);
});

test("each example in docs/files.md is valid by its schema", () => {
  for (const { title, schema, example } of fileParts) {
    const read = schema.safeParse(parse(example));
    assert.ok(read.success, `${title}: ${read.error?.message}`);
  }
});

test("each key in docs/files.md has an explanation, except for keys that this test lists, whose names are clear", () => {
  const bare = fileParts.flatMap((part) =>
    sectionOf(part)
      .split("\n")
      .flatMap((line) => /^\| `(\w+)` \|.*\|\s+\|$/.exec(line)?.[1] ?? []),
  );
  const speaking = "count formats distribution min mean max html size down up rtt loss queue".split(" ");
  assert.deepEqual(
    bare.filter((key) => !speaking.includes(key)),
    [],
  );
});
