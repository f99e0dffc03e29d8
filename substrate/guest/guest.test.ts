import assert from "node:assert/strict";
import { chownSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { chooseSubstrate } from "../choose.ts";
import { cores } from "../cores.ts";
import { pack } from "./lane-files.ts";
import { autoLanes, enoughMemory } from "./requirements.ts";

test("cores reads the list of the cores that a process may use", () => {
  assert.deepEqual(cores("0-1"), [0, 1]);
  assert.deepEqual(cores("3"), [3]);
  assert.deepEqual(cores("0-2,5,8-9"), [0, 1, 2, 5, 8, 9]);
  assert.ok(cores().length > 0 && autoLanes() > 0 && autoLanes() <= cores().length);
});

test("enoughMemory refuses more lanes than fit into the memory, and the error says what to use instead", () => {
  assert.equal(enoughMemory(1, 1536), "1536 MiB");
  assert.throws(
    () => enoughMemory(1, 1024),
    /^Error: there are 1024 MiB, and each lane needs 1500 MiB: use --clock real, which needs less$/,
  );
  assert.throws(() => enoughMemory(4, 3900), /needs 1500 MiB: use --lanes 2$/);
});

test("the virtual clock has the requested number of lanes", async () => {
  const lanesOf = (lanes: number | "auto") => chooseSubstrate({ clock: "virtual", lanes }).lanes;
  assert.deepEqual(await lanesOf(3), { links: "hold", atOnce: 3 });
  assert.deepEqual(await lanesOf("auto"), { links: "hold", atOnce: autoLanes() });
});

test("pack writes the same bytes for the same files, regardless of the files' folder, owner, mode and order of creation", () => {
  const folder = mkdtempSync(`${tmpdir()}/lab-`);
  const archiveOf = (place: string, names: string[], mode: number, content = "content") => {
    mkdirSync(`${folder}/${place}/inner`, { recursive: true });
    for (const name of names) {
      writeFileSync(`${folder}/${place}/inner/${name}`, content, { mode });
      if (process.getuid?.() === 0) chownSync(`${folder}/${place}/inner/${name}`, mode, mode);
    }
    pack("create", `${folder}/archive.tar`, `${folder}/${place}`, ["inner"]);
    return readFileSync(`${folder}/archive.tar`);
  };
  const first = archiveOf("first", ["a", "b", "c"], 0o644);
  assert.ok(archiveOf("second/deeper", ["c", "b", "a"], 0o600).equals(first));
  assert.ok(!archiveOf("third", ["a", "b", "d"], 0o644).equals(first));
  assert.ok(!archiveOf("fourth", ["a", "b", "c"], 0o644, "other").equals(first));
  linkSync(`${folder}/first/inner/a`, `${folder}/first/inner/link`);
  const linked = archiveOf("first", [], 0o644);
  assert.ok(archiveOf("fifth", ["a", "b", "c", "link"], 0o644).equals(linked));
  rmSync(folder, { recursive: true });
});
