/** With UPDATE=1 in the environment, this test rewrites the committed JSON Schema files. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { axisNames } from "../../axes/registry.ts";
import { jsonSchemas } from "./json-schemas.ts";

for (const [file, text] of jsonSchemas())
  test(`docs/schema/${file} matches the schema of the records, but may lack newer axes`, () => {
    if (process.env.UPDATE) writeFileSync(`docs/schema/${file}`, text);
    const kept = readFileSync(`docs/schema/${file}`, "utf8");
    const added = axisNames.filter((name) => !kept.includes(`"${name}":`));
    const isOther = (name: string, value: unknown) => (added.includes(name) ? undefined : value);
    assert.deepEqual(JSON.parse(kept), JSON.parse(text, isOther));
  });
