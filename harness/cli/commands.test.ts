/** Checks commands.txt, which the entry script `lab` reads before Node.js is installed. */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { rowsOfCommands } from "./command-rows.ts";

const rows = rowsOfCommands();

test("each row of commands.txt names existing files and folders, and has only values that the script `lab` knows", () => {
  const known =
    /^[a-z/]+ (hosts|alone|alone-if-needed|entry|-) ([a-z/]+(,[a-z/]+)*|-) (virtual|-) (writes|-) (experiment|latest|runs|-)$/;
  assert.deepEqual(
    rows.map((row) => row.join(" ")).filter((row) => !known.test(row)),
    [],
  );
  const folders = rows.flatMap(([, , installs = "-"]) => installs.split(",")).filter((name) => !/^(-|lab)$/.test(name));
  const files = rows.map(([name = ""]) => `harness/cli/commands/${name.split("/")[0]}.ts`);
  assert.deepEqual(
    [...files, ...folders].filter((path) => !existsSync(path)),
    [],
  );
});

test("each command's file has a row in commands.txt", () => {
  const files = readdirSync("harness/cli/commands").filter((file) => !/options\.ts$/.test(file));
  const named = new Set(rows.map(([name = ""]) => `${name.split("/")[0]}.ts`));
  assert.deepEqual(
    files.filter((file) => !named.has(file)),
    [],
  );
});

test("according to commands.txt, `./lab run` uses the hosts' containers, installs the lab's packages, and writes into the checkout", () =>
  assert.ok(rows.some((row) => row.join(" ") === "run hosts lab - writes experiment")));
