import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { documentsIn, givenPages, givePage } from "./given-page.ts";
import type { ImportedPage } from "./imported/imported-page.ts";
import { keepPages, removeOtherPages, restorePages } from "./kept-pages.ts";
import { listPages, loadPage } from "./pages.ts";

const before = process.cwd();
const directory = mkdtempSync(join(tmpdir(), "lab-given-"));
process.chdir(directory); // copies of given pages are kept in the current directory
after(() => {
  process.chdir(before);
  rmSync(directory, { recursive: true });
});
beforeEach(() => {
  for (const path of ["site", "other", "run", "pages", givenPages]) rmSync(path, { recursive: true, force: true });
  mkdirSync("pages", { recursive: true });
});

const put = (path: string, content = "") => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};
const give = (path: string) => givePage(path, 4);

test("a given page's name depends on its files' content, not on its path", () => {
  put("site/index.html", "<img src='ä b.png'>");
  put("site/ä b.png", "picture");
  put("site/.git/HEAD", "not served");
  cpSync("site", "other/in a folder/日本", { recursive: true });
  const { name, hosts } = give("site");
  assert.equal(hosts, 1);
  assert.match(name, /^page-[0-9a-f]{12}$/);
  assert.equal(give("other/in a folder/日本").name, name);
  assert.deepEqual(readdirSync(`${givenPages}/${name}`).sort(), ["index.html", "ä b.png"]);
  assert.deepEqual(listPages(), [name]);
  assert.equal(loadPage(name).name, name);
  put("site/ä b.png", "another");
  assert.notEqual(give("site").name, name);
});

test("documentsIn returns the named HTML files, and refuses a name that one of the sites lacks; about/ means about/index.html", () => {
  for (const path of ["index.html", "about/index.html", "./a.html"]) put(`site/${path}`, "text");
  put("other/index.html", "text");
  const [site, other] = [give("site"), give("other")];
  assert.deepEqual(documentsIn([site], ["index.html", "about/", "./a.html"]), [
    "index.html",
    "about/index.html",
    "a.html",
  ]);
  assert.throws(
    () => documentsIn([site, other], ["about"]),
    /^LabError: --pages about: other has no HTML file "about"; its HTML files: index.html$/,
  );
  for (const path of ["index.html", "a.html/index.html"]) put(`third/${path}`, "text");
  assert.throws(() => documentsIn([site, give("third")], ["a.html"]), /: third has no HTML file "a.html"; /);
});

test("givePage lists references that are not loaded: addresses of other hosts, and missing files", () => {
  put("site/index.html", "<img src=https://x.example/a.png><img src=gone.png>");
  assert.deepEqual(give("site").sentences.slice(1), [
    "site: addresses of other hosts are not loaded: https://x.example/a.png",
    "site: these files are missing, so the server responds with 404: gone.png",
  ]);
});

test("a page whose page.yml assigns files to hosts 1 and 2 has two hosts", () => {
  put("site/index.html", "<img src=cdn/a.png>");
  put("site/cdn/a.png");
  put("site/page.yml", "hosts: {/: 1, cdn/: 2}\n");
  assert.equal(give("site").hosts, 2);
});

test("givePage imports a HAR as a page", () => {
  const entry = (url: string, mimeType: string, text: string) => ({
    request: { method: "GET", url },
    response: { status: 200, content: { mimeType, text, size: text.length } },
  });
  const entries = [
    entry("https://a.example/", "text/html", "<img src=/b.svg>"),
    entry("https://a.example/b.svg", "image/svg+xml", "<svg/>"),
  ];
  put("site/recorded.har", JSON.stringify({ log: { entries } }));
  const { name, sentences } = give("site/recorded.har");
  assert.ok(readdirSync(`${givenPages}/${name}`).includes("b.svg"));
  assert.match(sentences.at(-1)!, /^site\/recorded\.har is page-/);
});

test("keepPages copies given pages into a run's folder, and restorePages restores them from there", () => {
  put("site/index.html", "<p>");
  const { name } = give("site");
  keepPages([name, "A"], "run");
  rmSync(givenPages, { recursive: true });
  restorePages("run");
  assert.equal(readFileSync(`${givenPages}/${name}/index.html`, "utf8"), "<p>");
  restorePages("run"); // does not fail if the pages still exist
});

test("restorePages ignores a run's page with the name of a lab's page, and refuses a page whose files do not match the hash in its name", () => {
  put("pages/A/index.html", "<p>the lab's");
  put("run/pages/A/index.html", "<p>another's");
  restorePages("run");
  assert.deepEqual([listPages(), (loadPage("A") as ImportedPage).folder], [["A"], "pages/A"]);
  put(`${givenPages}/A/index.html`, "<p>left by an earlier release");
  assert.deepEqual([listPages(), (loadPage("A") as ImportedPage).folder], [["A"], "pages/A"]);
  put("run/pages/page-0123456789ab/index.html", "<p>another's");
  assert.throws(
    () => restorePages("run"),
    /page-0123456789ab is not the page that the run loaded: .* page-[0-9a-f]{12}/,
  );
  assert.ok(!existsSync(`${givenPages}/page-0123456789ab`));
  removeOtherPages("run");
  assert.deepEqual(readdirSync("run/pages"), ["page-0123456789ab"]);
});

test("restorePages refuses a page of 201 MB, because the limit is 200 MB", () => {
  put("run/pages/page-0123456789ab/index.html", "<p>");
  truncateSync("run/pages/page-0123456789ab/index.html", 201e6);
  assert.throws(() => restorePages("run"), /page-0123456789ab has 201 MB, but a page may have 200 MB/);
});

test("givePage removes a copy that no command has used for a day", () => {
  put("site/index.html", "<p>old");
  const { name } = give("site");
  const old = new Date(Date.now() - 2 * 86_400_000);
  utimesSync(`${givenPages}/${name}`, old, old);
  give("site");
  assert.deepEqual(listPages(), [name]);
  utimesSync(`${givenPages}/${name}`, old, old);
  put("site/index.html", "<p>new");
  const { name: other } = give("site");
  assert.deepEqual(listPages(), [other]);
});

const refused: [what: string, make: () => void, message: RegExp][] = [
  ["a missing path", () => {}, /^site: there is no such folder or HAR$/],
  ["a file", () => put("site"), /^site: it is neither a folder nor a HAR \(NAME\.har\)$/],
  ["an empty folder", () => mkdirSync("site"), /^site: the folder is empty; give the folder that your build writes$/],
  ["a damaged recording", () => put("site/recording.json", "{}"), /^site\/recording\.json: recordingVersion: /],
  ["a folder without HTML", () => put("site/a.css"), /no index\.html, a page's start file; it has no HTML files$/],
  ["a folder without index.html", () => put("site/b/c.html"), /start file; its HTML files: b\/c\.html$/],
  [
    "a folder that is too large for a guest's memory",
    () => {
      put("site/index.html");
      put("site/film.mp4");
      truncateSync("site/film.mp4", 500e6);
    },
    /^site has 500 MB in 2 files, but a page may have 200 MB/,
  ],
];
for (const [what, make, message] of refused)
  test(`givePage refuses ${what}`, () => {
    make();
    assert.throws(() => give("site"), { message });
  });

test("givePage refuses a URL, and suggests ./lab page record", () =>
  assert.throws(() => give("https://a.test/"), {
    message: "https://a.test/: record the site first: ./lab page record https://a.test/",
  }));
