import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { ensureSite, loadPage } from "../pages.ts";
import { checkImportedPage } from "./check-page.ts";
import type { ImportedPage } from "./imported-page.ts";

const directory = mkdtempSync(join(tmpdir(), "imported-"));
after(() => rmSync(directory, { recursive: true }));
beforeEach(() => rmSync(join(directory, "mine"), { recursive: true, force: true }));

const put = (path: string, content: string | Buffer = "") => {
  const file = join(directory, "mine", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};
const load = () => loadPage("mine", directory) as ImportedPage;

test("a folder with an index.html is a page, and its referenced files are assigned to the hosts in turn", () => {
  put(
    "index.html",
    `<link rel="shortcut icon" href=i.ico><link rel=manifest href=m.json><link rel=stylesheet href="/s/a.css?v=1"><iframe src=f.html></iframe><img src="b%20c.png"><img src=none.png><img src=https://x.example/o.png>`,
  );
  put("s/a.css", `@import "../t.css"; a{b:url(d.png#e)}`);
  for (const path of ["b c.png", "s/d.png", "t.css", "other.js", "i.ico", "f.html"]) put(path, path);
  const { resources, outside, unasked, unnamed } = checkImportedPage(load(), 2);
  assert.deepEqual(
    resources.map(({ path, bytes, hosts }) => [path, bytes, hosts.at(-1)]),
    [
      ["index.html", 209, "s1.lab"],
      ["s/a.css", 37, "s2.lab"],
      ["f.html", 6, "s1.lab"],
      ["b c.png", 7, "s1.lab"],
      ["none.png", null, "s1.lab"],
      ["t.css", 5, "s2.lab"],
      ["s/d.png", 7, "s1.lab"],
    ],
    "missing files, frames, icons and manifests are skipped when hosts take turns",
  );
  assert.deepEqual([outside, unasked], [["https://x.example/o.png"], ["i.ico", "m.json"]]);
  assert.deepEqual(unnamed, ["other.js"]);
});

test("with several hosts, references become absolute; with one host, only references to other origins, and to folders without a final slash, change", async () => {
  put(
    "index.html",
    `<img src="ü/é 1.png?q=1#f"><iframe src=sub></iframe><iframe src=/sub/></iframe><img src=//x.example/o.png><img src=data:,x>`,
  );
  put("ü/é 1.png", "picture");
  put("sub/index.html", "<p>");
  put("old.html", Buffer.from("<p>\xe9<img src=sub/n.png>", "latin1"));
  const root = join(directory, "site");
  await ensureSite(root, {
    hostCounts: [1, 2],
    protocols: [{ name: "h2", scheme: "https", port: 4432 }],
    pages: [load()],
  });
  const at = (variant: string, path: string) => join(root, "imported/mine", variant, path);
  assert.equal(
    readFileSync(at("2-h2", "index.html"), "utf8"),
    `<img src="https://s2.lab:4432/%C3%BC/%C3%A9%201.png?q=1#f">` +
      `<iframe src="https://s1.lab:4432/sub/"></iframe><iframe src="https://s1.lab:4432/sub/"></iframe><img src="data:,"><img src=data:,x>`,
  );
  assert.equal(
    readFileSync(at("1-h2", "index.html"), "utf8"),
    `<img src="ü/é 1.png?q=1#f"><iframe src="/sub/"></iframe><iframe src=/sub/></iframe><img src="data:,"><img src=data:,x>`,
  );
  assert.match(readFileSync(at("2-h2", "old.html"), "latin1"), /^<p>\xe9<img src="https:\/\/s1/);
  assert.equal(readFileSync(at("1-h2", "old.html"), "latin1"), "<p>\xe9<img src=sub/n.png>");
  assert.equal(statSync(at("1-h2", "ü/é 1.png")).ino, statSync(at("2-h2", "ü/é 1.png")).ino);
});

test("page.yml assigns files to hosts by number; with only two hosts, number 3 means the first host", () => {
  put("index.html", "<img src=i/a.png><img src=i/b.png><img src=c.png>");
  for (const path of ["i/a.png", "i/b.png", "c.png"]) put(path);
  put("page.yml", `hosts: {"i/": 3, "i/b.png": 2}\n`);
  const hosts = checkImportedPage(load(), 3).resources.map((one) => one.hosts.map((host) => host[1]).join(""));
  assert.deepEqual(hosts, ["111", "113", "122", "122"]);
});

const wrong: [what: string, make: () => void, message: RegExp][] = [
  [
    "a symbolic link out of the folder",
    () => symlinkSync("/etc/passwd", join(directory, "mine/p")),
    /mine\/p is a symbolic link to \/etc\/passwd, outside the folder/,
  ],
  [
    "a symbolic link to a missing file",
    () => symlinkSync("gone", join(directory, "mine/p")),
    /mine\/p is a symbolic link to gone, which does not exist/,
  ],
  [
    "an unknown key",
    () => put("page.yml", "seed: 1\n"),
    /page\.yml: unknown key "seed"; allowed: title, source, hosts/,
  ],
  [
    "a host for a missing folder",
    () => put("page.yml", "hosts: {img: 2}\n"),
    /hosts: there is no "img" in .*mine; a folder ends with "\/"/,
  ],
  ["an invalid host number", () => put("page.yml", "hosts: {/: 0}\n"), /hosts\.\/: .*>=1/],
];
for (const [what, make, message] of wrong)
  test(`${what} is refused, and the message names it`, () => {
    put("index.html");
    make();
    assert.throws(load, message);
  });

test("a page's hash depends on the content of the page's files and on the hosts in page.yml, but not on the title in page.yml", () => {
  put("index.html", "<img src=a.png>");
  put("a.png", "1");
  const hashes = [load().sha256];
  put("a.png", "2");
  hashes.push(load().sha256);
  put("page.yml", "hosts: {a.png: 2}\n");
  hashes.push(load().sha256);
  put("page.yml", "title: Another\nhosts: {a.png: 2}\n");
  assert.equal(load().sha256, hashes[2]);
  assert.equal(new Set(hashes).size, 3);
});
