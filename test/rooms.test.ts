/** Each folder belongs to a layer. A file imports only from its own layer and lower layers, and there are no circular imports. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";

/** The folders of the layers, from the lowest layer up. */
const layers = [
  "schema",
  "hosts",
  "sites",
  "metrics",
  "models",
  "observe",
  "clients",
  "substrate/guest/kernel",
  "substrate/guest/root",
  "shaper",
  "servers",
  "substrate",
  "axes",
  "harness/output",
  "harness/statistics",
  "harness/plan",
  "harness/record",
  "harness/judge",
  "harness/tables",
  "harness/explain",
  "harness/figures",
  "harness/why",
  "harness/export",
  "studies",
  "harness/lane",
  "harness/run",
  "harness/verify",
  "harness/gate",
  "harness/advise",
  "harness/claims",
  "harness/bundle",
  "harness/web",
  "bench",
  "harness/cli",
];
const layerOf = (file: string) => layers.findIndex((layer) => file.startsWith(`${layer}/`));

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx"], { encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => !/\.(test|fixture)\.ts$|^test\//.test(file));

/** Finds the paths of static and dynamic imports, including types. Imports of registries do not count, because their patterns name no file. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path = ""]) =>
    normalize(join(dirname(file), path)),
  );

test("every file is in a folder of a layer", () =>
  assert.deepEqual(
    files.filter((file) => layerOf(file) < 0),
    [],
  ));

test("no file imports from a layer above its own", () =>
  assert.deepEqual(
    files.flatMap((file) =>
      importsOf(file)
        .filter((imported) => layerOf(imported) > layerOf(file))
        .map((imported) => `${file} imports ${imported}`),
    ),
    [],
  ));

test("no file imports itself, directly or through other files", () => {
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
