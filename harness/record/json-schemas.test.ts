/** The committed JSON Schema files are those of the records. With UPDATE=1 in the environment they are written anew. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { jsonSchemas } from "./json-schemas.ts";

for (const [file, text] of jsonSchemas())
  test(`docs/schema/${file} is current`, () => {
    if (process.env.UPDATE) writeFileSync(`docs/schema/${file}`, text);
    assert.deepEqual(JSON.parse(readFileSync(`docs/schema/${file}`, "utf8")), JSON.parse(text));
  });
