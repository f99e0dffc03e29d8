/** A YAML file that would take minutes or too much memory to read must be refused within seconds, with a message that names the file. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { z } from "zod";
import { ExitCode } from "./errors.ts";
import { readYamlFile } from "./yaml-file.ts";

const folder = mkdtempSync(join(tmpdir(), "lab-yaml-"));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, "page.yml");
function read(text: string): unknown {
  writeFileSync(path, text);
  return readYamlFile(path, z.any());
}
const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

test("merged keys and aliases are read, and a file of 100,000 keys is read within seconds", () => {
  assert.deepEqual(read("a: &a {x: 1}\nb: {<<: *a, y: 2}\nc: *a"), { a: { x: 1 }, b: { x: 1, y: 2 }, c: { x: 1 } });
  const before = process.cpuUsage(); // the CPU time of this process only, because the machine may be busy
  assert.equal(Object.keys(read(lines(100_000, (i) => `f${i}: 1`)) as object).length, 100_000);
  assert.ok(process.cpuUsage(before).user < 20e6);
});

const nine = (name: string) => `[${Array(9).fill(name).join(",")}]`;
const refused: [what: string, text: string, why: RegExp][] = [
  ["a duplicate key", "a: 1\nb:\n  c: 2\n  d: 1\n  c: 3", /map keys must be unique: "c" is repeated in line 5/],
  ["200,000 nested lists", "[".repeat(2e5), /nested too deeply/],
  ["100,000 nested maps", "{a: ".repeat(1e5), /nested too deeply/],
  ["aliases that multiply", lines(9, (i) => `a${i}: &a${i} ${i ? nine(`*a${i - 1}`) : "x"}`), /Excessive alias count/],
  ["60,000 aliases", lines(60_000, (i) => `k${i}: &a${i} v\nl${i}: *a${i}`), /more than 1000 aliases/],
  ["3 MB", "x".repeat(3e6), /it has 3 MB; at most 2 MB are allowed/],
];
for (const [what, text, why] of refused)
  test(`a file with ${what} is refused, and the message names the file`, () => {
    const before = process.cpuUsage(); // the CPU time of this process only, because the machine may be busy
    assert.throws(
      () => read(text),
      (error: Error & { exitCode?: number }) =>
        error.exitCode === ExitCode.usage && why.test(error.message) && error.message.includes(path),
    );
    assert.ok(process.cpuUsage(before).user < 20e6);
  });
