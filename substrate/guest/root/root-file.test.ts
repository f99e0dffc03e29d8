import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { rootIn } from "./root.ts";
import { openRoot, saveRoot } from "./root-file.ts";

let folder: string;
before(() => {
  folder = mkdtempSync(`${tmpdir()}/lab-`);
});
after(() => rmSync(folder, { recursive: true }));

const image = "everything that a guest runs".repeat(1000);
const hash = createHash("sha256").update(image).digest("hex");

/** Saves a root file system. @param sha256 the hash that the saved file states for the image */
function saved(name: string, sha256 = hash): string {
  mkdirSync(`${folder}/${name}`);
  for (const [part, text] of Object.entries({ image, packages: "\nnginx 1.26 abc\n", sha256: `${sha256}\n` }))
    writeFileSync(`${folder}/${name}/${part}`, text);
  saveRoot(rootIn(`${folder}/${name}`), `${folder}/${name}.root`);
  return `${folder}/${name}.root`;
}
const roots = (name: string) => `${folder}/roots-of-${name}`;

test("opening a saved root file system returns the saved content, and unpacks the file only once", () => {
  const file = saved("good");
  const { packages, sha256, image: path } = openRoot(file, roots("good"));
  assert.deepEqual([packages, sha256, readFileSync(path, "utf8")], ["\nnginx 1.26 abc\n", hash, image]);
  writeFileSync(path, "unpacked again, this would be gone");
  assert.match(readFileSync(openRoot(file, roots("good")).image, "utf8"), /would be gone/);
});

test("saving a root file system does not overwrite an existing file", () => {
  const file = saved("first");
  assert.throws(() => saveRoot(rootIn(`${folder}/first`), file), /already exists/);
});

test("openRoot refuses a file that is missing, truncated, changed or not a saved root file system, says why, and leaves no folder behind", () => {
  assert.throws(() => openRoot(`${folder}/none`, roots("bad")), /none: there is no such file; .*root save/);
  writeFileSync(`${folder}/text`, "no archive");
  assert.throws(() => openRoot(`${folder}/text`, roots("bad")), /text is damaged: .*tar/);
  const cut = saved("cut");
  truncateSync(cut, 10_000);
  assert.throws(() => openRoot(cut, roots("bad")), /cut.root is damaged/);
  const other = saved("other", "0".repeat(64));
  assert.throws(() => openRoot(other, roots("bad")), new RegExp(`its image's SHA-256 is ${hash}, and should be 0000`));
  assert.deepEqual(readdirSync(roots("bad")), []);
});
