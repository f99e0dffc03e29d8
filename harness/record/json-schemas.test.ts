/** The committed JSON Schema files are those of the records; axes that were added since may be missing. With UPDATE=1 in the environment they are written anew. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { axisNames } from "../../axes/registry.ts";
import { jsonSchemas } from "./json-schemas.ts";

for (const [file, text] of jsonSchemas())
  test(`docs/schema/${file} is current`, () => {
    if (process.env.UPDATE) writeFileSync(`docs/schema/${file}`, text);
    const kept = readFileSync(`docs/schema/${file}`, "utf8");
    const added = axisNames.filter((name) => !kept.includes(`"${name}":`));
    const isOther = (name: string, value: unknown) => (added.includes(name) ? undefined : value);
    assert.deepEqual(JSON.parse(kept), JSON.parse(text, isOther));
  });
