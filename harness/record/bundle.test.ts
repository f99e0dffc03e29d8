/** An archive from somebody else is either read as a run, or refused before anything is written. */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import { create, Header } from "tar";
import { bundleOf, labOf, runNamedBy } from "./bundle.ts";
import { blockRun } from "./find-run.ts";

const [checkout, base] = [process.cwd(), mkdtempSync(`${tmpdir()}/bundle-test-`)];
const published = `${checkout}/${blockRun}`;
let count = 0;
beforeEach(() => {
  const folder = `${base}/${count++}`;
  mkdirSync(`${folder}/mine/run`, { recursive: true });
  process.chdir(folder);
  cpSync(`${published}/run.json`, "mine/run/run.json");
});
after(() => {
  process.chdir(checkout);
  rmSync(base, { recursive: true });
});

function archive(paths: string[] = ["mine"]): string {
  create({ file: "mine.tar.gz", gzip: true, sync: true }, paths);
  return "mine.tar.gz";
}
/** Writes an archive whose entries have only a header, as a forger could. */
function written(...entries: { path: string; size?: number; type?: "File" | "Link" }[]): string {
  const blocks = entries.map(({ path, size = 0, type = "File" }) => {
    const header = new Header({ path, size, type, mode: 0o644, linkpath: type === "Link" ? "/etc/passwd" : "" });
    header.encode();
    return header.block!;
  });
  writeFileSync("mine.tar.gz", gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])));
  return "mine.tar.gz";
}
const hasNoTrace = () => assert.deepEqual(existsSync(".lab/bundles") ? readdirSync(".lab/bundles") : [], []);

test("a bundle's run is unpacked once, in a folder named by the bundle's SHA-256, and the bundle's lab only on request", () => {
  mkdirSync("mine/lab/.lab/root/0", { recursive: true });
  writeFileSync("mine/lab/lab", "#!/bin/sh\n");
  writeFileSync("mine/lab/.lab/root/0/image", "an image");
  const run = runNamedBy(archive());
  assert.match(run, /^\.lab\/bundles\/[0-9a-f]{16}\/run$/);
  assert.equal(runNamedBy("mine.tar.gz"), run);
  const bundle = bundleOf(run)!;
  assert.ok(bundle.hasMachine && existsSync(`${run}/run.json`) && !existsSync(`${bundle.folder}/lab`));
  assert.ok(existsSync(`${labOf(bundle)}/.lab/root/0/image`));
});

test("if an archive has changed since its run was unpacked, its lab is not unpacked", () => {
  const bundle = bundleOf(runNamedBy(archive()))!;
  assert.equal(bundle.hasMachine, false);
  writeFileSync("mine/run/more", "more");
  archive();
  assert.throws(() => labOf(bundle), /mine\.tar\.gz has changed, or is gone, since the run was unpacked from it/);
});

test("an argument that is not the path of a bundle is returned unchanged, and a run outside of .lab/bundles has no bundle", () => {
  mkdirSync("folder.tar.gz");
  for (const word of ["mine", "mine/run", "none.tar.gz", "folder.tar.gz"]) assert.equal(runNamedBy(word), word);
  assert.equal(bundleOf("mine/run"), null);
});

test("an archive with a symbolic or hard link, a path that leaves the bundle, more than 4 GB or no run is refused; nothing is unpacked", () => {
  symlinkSync("/etc/passwd", "mine/run/secret");
  assert.throws(() => runNamedBy(archive()), /mine\/run\/secret is neither a file nor a folder/);
  rmSync("mine/run/secret");
  const refused: [Parameters<typeof written>, RegExp][] = [
    [[{ path: "mine/run/run.json" }, { path: "mine/hard", type: "Link" }], /mine\/hard is neither a file nor a folder/],
    [[{ path: "mine/../../x" }], /mine\/\.\.\/\.\.\/x leaves its folder/],
    [[{ path: "/etc/x" }], /leaves its folder/],
    [[{ path: "mine/run/run.json" }, { path: "other/x" }], /other\/x is outside of the bundle's folder mine/],
    [[{ path: "mine/README.md" }], /it has no run\/run\.json/],
    [[{ path: "mine/run/big", size: 5e9 }], /it unpacks to more than 4 GB/],
  ];
  for (const [entries, message] of refused) assert.throws(() => runNamedBy(written(...entries)), message);
  writeFileSync("mine.tar.gz", "not an archive");
  assert.throws(() => runNamedBy("mine.tar.gz"), /mine\.tar\.gz is not a bundle .* damaged or cut off/);
  hasNoTrace();
});
