import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { usersOf } from "./users.ts";

test("usersOf reads links, each with a percentage of the users", () => {
  assert.deepEqual(usersOf("Cable:40, 4G:40%,3GFast:20"), [
    { link: "Cable", percent: 40 },
    { link: "4G", percent: 40 },
    { link: "3GFast", percent: 20 },
  ]);
  assert.deepEqual(usersOf("10x1-100ms-1%:100"), [{ link: "10x1-100ms-1%", percent: 100 }]);
});

test("the sum of percentages with decimals may differ from 100 by a rounding error", () => {
  assert.equal(usersOf("Cable:33.3,4G:33.3,3GFast:33.4").length, 3);
});

test("--users may name a YAML file, whose links and percentages are checked as if they were in the option itself", () => {
  const folder = mkdtempSync(join(tmpdir(), "users-"));
  after(() => rmSync(folder, { recursive: true }));
  const inFile = (text: string) => {
    const path = join(folder, "users.yml");
    writeFileSync(path, text);
    return () => usersOf(path);
  };
  assert.deepEqual(inFile("Cable: 60\n10x1-100ms-1%: 40\n")(), usersOf("Cable:60,10x1-100ms-1%:40"));
  assert.throws(inFile("Cable: 60\n"), { exitCode: 2, message: /users\.yml: the percentages add up to 60/ });
  for (const wrong of ["most", "-20", "0"])
    assert.throws(inFile(`Cable: ${wrong}\n4G: 100\n`), { exitCode: 2, message: /users\.yml: .*Cable/ });
  assert.throws(inFile("Cable,4G: 100\n"), { exitCode: 2, message: /Cable,4G is not one link/ });
  assert.throws(inFile(""), { exitCode: 2, message: /users\.yml/ });
});

for (const [text, message] of [
  ["Cable:40,4G:40", /the percentages add up to 80, but must add up to 100/],
  ["Cable", /"Cable" is not a link with the percentage of users who have it, as in Cable:40/],
  ["Cable:0,4G:100", /"Cable:0" is not a link/],
  ["Cable:-20,4G:120", /"Cable:-20" is not a link/],
  ["Cable:50,Cable:50", /Cable is given twice/],
  ["", /is not a link with the percentage of users/],
] as const)
  test(`users "${text}" are refused`, () => {
    assert.throws(() => usersOf(text), { exitCode: 2, message });
  });
