/** What the entry script reads of a command's file, before there is a Node.js. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const folder = "harness/cli/commands";
const lines = readdirSync(folder)
  .flatMap((file) => readFileSync(`${folder}/${file}`, "utf8").split("\n"))
  .filter((line) => line.startsWith("// ./lab"));

test("each line for the entry script names its command, and says nothing that the script does not know", () => {
  assert.ok(lines.length > 10);
  const known =
    /^\/\/ \.\/lab [a-z]+( [a-z]+)?:( container=(hosts|alone|entry)| installs=[a-z/,]+| clock=virtual| writes)+$/;
  assert.deepEqual(
    lines.filter((line) => !known.test(line)),
    [],
  );
});

test("a run's command can use the engine's hosts, installs the lab, and writes into the checkout", () =>
  assert.ok(lines.includes("// ./lab run: container=hosts installs=lab writes")));
