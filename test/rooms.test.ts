/** The house's plan: a folder imports only what stands below it, so there is no circle, and no file is in one. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";

/** From the ground up. */
const rooms = [
  "schema",
  "hosts",
  "pages",
  "traces",
  "metrics",
  "models",
  "observe",
  "clients",
  "kernel",
  "root",
  "shaper",
  "servers",
  "substrate",
  "axes",
  "harness/statistics",
  "harness/plan",
  "harness/record",
  "harness/judge",
  "harness/explain",
  "harness/report",
  "harness/claims",
  "harness/web",
  "harness/lane",
  "harness/run",
  "harness/bench",
  "harness/cli",
];
const roomOf = (file: string) => rooms.findIndex((room) => file.startsWith(`${room}/`));

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx"], { encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => !/\.test\.ts$|^test\//.test(file));

/** Of static and dynamic imports, types included; a registry's own pattern is none of a file. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path = ""]) =>
    normalize(join(dirname(file), path)),
  );

test("every file stands in a room", () =>
  assert.deepEqual(
    files.filter((file) => roomOf(file) < 0),
    [],
  ));

test("no import goes up", () =>
  assert.deepEqual(
    files.flatMap((file) =>
      importsOf(file)
        .filter((imported) => roomOf(imported) > roomOf(file))
        .map((imported) => `${file} imports ${imported}`),
    ),
    [],
  ));

test("no file imports itself by way of others", () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, way: string[]) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(" -> "));
    if (done.has(file) || way.includes(file)) return;
    for (const imported of importsOf(file)) visit(imported, [...way, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  assert.deepEqual(circles, []);
});
