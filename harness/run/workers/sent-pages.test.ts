import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { ExitCode } from "../../../schema/errors.ts";
import { readImportedPage } from "../../../sites/imported/imported-page.ts";
import { packPage, unpackPage } from "./sent-pages.ts";

const folder = mkdtempSync(join(tmpdir(), "lab-sent-pages-"));
after(() => rmSync(folder, { recursive: true }));

const mine = join(folder, "mine");
mkdirSync(join(mine, "img"), { recursive: true });
writeFileSync(join(mine, "index.html"), "<img src=img/a.svg>");
writeFileSync(join(mine, "img/a.svg"), Buffer.from([0, 255, 10]));
writeFileSync(join(mine, "page.yml"), 'hosts: {"img/": 2}');
const page = readImportedPage("mine", mine);

test("a page that was packed and unpacked has the same files, settings and hash as before", () => {
  const there = join(folder, "there/mine");
  unpackPage(packPage(page), there, page.sha256);
  assert.deepEqual(readFileSync(join(there, "img/a.svg")), Buffer.from([0, 255, 10]));
  assert.deepEqual(readdirSync(join(folder, "there")), ["mine"]);
});

test("a page whose hash is not the expected one is refused, and none of its files is kept", () => {
  const there = join(folder, "other/mine");
  assert.throws(() => unpackPage(packPage(page), there, "0".repeat(64)), /with hash \w+ under the hash 0+/);
  assert.deepEqual(readdirSync(join(folder, "other")), []);
});

test("a page is refused if one of its files has a hidden path or a path outside the page's folder", () => {
  for (const path of ["../outside", "/etc/outside", "img/../../outside", ".hidden", "img/.hidden", "./outside"]) {
    const packed = gzipSync(JSON.stringify({ "index.html": "", [path]: "" }));
    assert.throws(() => unpackPage(packed, join(folder, "hostile/mine"), page.sha256), /must be inside/, path);
    assert.ok(!existsSync(join(folder, "hostile/mine")));
  }
});

test("a page of more than 100 MB is not sent to workers", () => {
  const large = join(folder, "large");
  mkdirSync(large);
  writeFileSync(join(large, "index.html"), "<p>");
  writeFileSync(join(large, "film"), "");
  truncateSync(join(large, "film"), 100e6);
  assert.throws(() => packPage(readImportedPage("mine", large)), {
    exitCode: ExitCode.usage,
    message: /page mine has 101 MB; pages for workers may have at most 100 MB/,
  });
});
