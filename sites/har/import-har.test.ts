import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzip } from "pako";
import { checkImportedPage } from "../imported/check-page.ts";
import type { ImportedPage } from "../imported/imported-page.ts";
import { loadPage } from "../pages.ts";
import { importHar } from "./import-har.ts";

const directory = mkdtempSync(join(tmpdir(), "har-"));
after(() => rmSync(directory, { recursive: true }));

interface Answer {
  status?: number;
  type?: string;
  size?: number;
  text?: string;
  encoding?: string;
  redirectURL?: string;
  method?: string;
}
let count = 0;
const entry = (
  url: string,
  { status = 200, type = "image/png", size = 0, text, encoding, redirectURL, method = "GET" }: Answer,
) => ({
  startedDateTime: new Date(count++ * 1000).toISOString(),
  request: { method, url },
  response: { status, redirectURL, bodySize: -1, content: { size, mimeType: type, text, encoding } },
});
let made = 0;
function imported(entries: object[], text = JSON.stringify({ log: { version: "1.2", entries } })) {
  const name = `page-${made++}`;
  const file = join(directory, `${name}.har`);
  writeFileSync(file, text);
  const { sentences } = importHar(file, undefined, directory);
  const page = loadPage(name, directory) as ImportedPage;
  const read = (path: string) => readFileSync(join(directory, name, path), "utf8");
  return { page, read, sentences: sentences.join("\n"), files: [...page.files.keys()] };
}
const start = "https://www.example.org/en/";
const html = (text: string) => entry(start, { type: "text/html; charset=utf-8", text, size: text.length });

test("importHar writes recorded bodies into the page's folder, and references point to these files", () => {
  const { files, read, page } = imported([
    html(`<link rel=stylesheet href="../a.css"><img src="//cdn.example.org/x/p.png"><img src=/gone.png><base href=/>`),
    entry("https://www.example.org/a.css", { type: "text/css", text: "a{b:url(https://cdn.example.org/x/p.png)}" }),
    entry("https://cdn.example.org/x/p.png", { text: Buffer.from("pixels").toString("base64"), encoding: "base64" }),
    entry("https://www.example.org/gone.png", { status: 404, type: "text/html", text: "no" }),
  ]);
  assert.deepEqual(files, ["a.css", "cdn.example.org/x/p.png", "index.html"]);
  assert.equal(read("cdn.example.org/x/p.png"), "pixels");
  assert.equal(read("a.css"), `a{b:url("cdn.example.org/x/p.png")}`);
  const { resources, outside } = checkImportedPage(page, 2);
  assert.deepEqual(outside, []);
  assert.deepEqual(
    resources.map(({ path, bytes }) => [path.replace(/~.*/, ""), bytes !== null]),
    [
      ["index.html", true],
      ["a.css", true],
      ["cdn.example.org/x/p.png", true],
      ["gone", false],
    ],
  );
});

test("each URL gets a separate file, also if URLs differ only in their query or port", () => {
  const urls = [
    "https://www.example.org/i?a=1",
    "https://www.example.org/i?a=2",
    "https://www.example.org/i",
    "https://www.example.org/i/below.png",
    "https://www.example.org/100%25.png",
    "https://www.example.org/%E6%97%A5%E6%9C%AC.png",
    "https://www.example.org/%ff.png",
    `https://www.example.org/${"long".repeat(200)}.png`,
    "https://www.example.org/.hidden.png",
    "https://www.example.org/page.yml",
    "https://cdn.example.org/i/below.png",
    "https://cdn.example.org:8443/i/below.png",
    "https://www.example.org/picture.php",
  ];
  const { page, files } = imported([
    html(urls.map((url) => `<img src="${url}">`).join("")),
    ...urls.map((url, i) => entry(url, { text: `body ${i}` })),
  ]);
  const { resources, outside } = checkImportedPage(page, 1);
  assert.deepEqual(outside, []);
  assert.equal(files.length, urls.length + 1);
  assert.ok(resources.every(({ bytes }) => bytes !== null));
  assert.ok(resources.slice(1).every(({ type }) => type === "image/png"));
  assert.ok(files.includes("日本.png") && files.includes("100%.png"));
});

test("references to redirects point to the redirects' targets, and references to a redirect loop stay unchanged", () => {
  const { page, sentences } = imported([
    html("<img src=/old.png><img src=/round>"),
    entry("https://www.example.org/old.png", { status: 302, redirectURL: "/new.png" }),
    entry("https://www.example.org/new.png", { text: "new" }),
    entry("https://www.example.org/round", { status: 301, redirectURL: "/round" }),
  ]);
  const { resources, outside } = checkImportedPage(page, 1);
  assert.deepEqual(
    resources.map(({ path }) => path),
    ["index.html", "new.png"],
  );
  assert.deepEqual(outside, ["https://www.example.org/round"]);
  assert.match(sentences, /2 redirects: references to a redirect now point to its target/);
});

test("if a HAR has no bodies, filler of the recorded sizes replaces them, and the generated HTML references all files", () => {
  const { page, read } = imported([
    entry(start, { type: "text/html", size: 3000 }),
    entry("https://www.example.org/a.css", { type: "text/css", size: 500 }),
    entry("https://www.example.org/a.js", { type: "application/javascript", size: 700 }),
    entry("https://www.example.org/p.png", { size: 900 }),
    entry("https://www.example.org/f.woff2", { type: "font/woff2", size: 800 }),
  ]);
  const { resources, unnamed } = checkImportedPage(page, 1);
  assert.deepEqual(
    resources.map(({ bytes }) => bytes),
    [3000, 500, 700, 900, 800],
  );
  assert.deepEqual(unnamed, []);
  assert.match(read("a.js"), /^\/\* .* \*\/$/s);
});

test("filler for a text compresses to the recorded size on the network, or to a third of its size if no size on the network was recorded", () => {
  const texts = { type: "text/javascript", size: 40_000 };
  const recorded = entry("https://www.example.org/a.js", texts);
  recorded.response.bodySize = 9000;
  const { page, read } = imported([
    html("<script src=a.js></script><script src=b.js></script>"),
    recorded,
    entry("https://www.example.org/b.js", texts),
  ]);
  assert.equal(page.files.get("a.js")?.bytes, 40_000);
  const [known, unknown] = ["a.js", "b.js"].map((file) => gzip(read(file), { level: 9 }).length);
  assert.ok(Math.abs(known! - 9000) < 0.05 * 9000, `${known}`);
  assert.ok(Math.abs(unknown! - 40_000 / 3) < (0.05 * 40_000) / 3, `${unknown}`);
});

test("server times are the recorded waits minus the shortest handshake, and are written to page.yml", () => {
  const timed = (url: string, timings: object) => ({ ...entry(url, { text: "x" }), timings });
  const { page, sentences } = imported([
    { ...html("<img src=/slow.png><img src=/quick.png>"), timings: { connect: 90, ssl: 50, wait: 340 } },
    timed("https://www.example.org/slow.png", { connect: -1, ssl: -1, wait: 120.4 }),
    timed("https://www.example.org/quick.png", { connect: 130, ssl: 60, wait: 40 }),
  ]);
  assert.deepEqual(page.serverTimes, { "index.html": 300, "slow.png": 80 });
  assert.match(sentences, /2 server times are recorded/);
  const plain = imported([html("<img src=/a.png>"), entry("https://www.example.org/a.png", { text: "x" })]);
  assert.deepEqual(plain.page.serverTimes, {});
});

test("the import reports entries with other methods than GET, repeated URLs, missing responses and wrong sizes", () => {
  const { sentences, page } = imported([
    html("<img src=/p.png>"),
    entry("https://www.example.org/p.png", { text: "12345", size: 3 }),
    entry("https://www.example.org/p.png", { text: "again" }),
    entry("https://www.example.org/form", { method: "POST" }),
    entry("https://www.example.org/blocked", { status: 0 }),
    entry("data:,x", {}),
  ]);
  assert.equal(page.files.get("p.png")?.bytes, 5);
  for (const sentence of [
    /2 entries left out: not a GET/,
    /1 entry left out: replaced by another entry for the same URL/,
    /1 entry left out: no response was recorded/,
    /1 size is smaller than the recorded body/,
  ])
    assert.match(sentences, sentence);
});

test("only the first page load of a recording is imported", () => {
  const { files, sentences } = imported([
    { ...entry("https://a.org/", { type: "text/html", text: "<img src=1.png>" }), pageref: "one" },
    { ...entry("https://a.org/1.png", { size: 10 }), pageref: "one" },
    { ...entry("https://a.org/next", { type: "text/html", text: "<img src=2.png>" }), pageref: "two" },
    { ...entry("https://a.org/2.png", { size: 10 }), pageref: "two" },
  ]);
  assert.deepEqual(files, ["1.png", "index.html"]);
  assert.match(sentences, /2 entries left out: part of another page load/);
});

test("the import's page.yml assigns each recorded host to a host of the lab", () => {
  const urls = ["https://a.example/1.png", "https://b.example/2.png"];
  const { page } = imported([
    html(urls.map((url) => `<img src=${url}>`).join("")),
    ...urls.map((url) => entry(url, { text: url })),
  ]);
  assert.deepEqual(page.hosts, { "/": 1, "a.example/": 2, "b.example/": 3 });
  assert.deepEqual(
    checkImportedPage(page, 3).resources.map(({ hosts }) => hosts),
    [
      ["s1.lab", "s1.lab", "s1.lab"],
      ["s1.lab", "s2.lab", "s2.lab"],
      ["s1.lab", "s1.lab", "s3.lab"],
    ],
  );
});

const whole = JSON.stringify({ log: { entries: [html("<p>")] } });
const wrong: [what: string, text: string, message: RegExp][] = [
  ["is cut short", whole.slice(0, -40), /is not a complete HAR: its JSON is invalid .*; save it again/],
  ["has one byte", "x", /is not a complete HAR: its JSON is invalid/],
  ["is JSON but not a HAR", "{}", /log: it is missing; its type must be object/],
  ["has no entry", `{"log": {"entries": []}}`, /has no entries: nothing was recorded/],
  ["has no HTML", JSON.stringify({ log: { entries: [entry(start, {})] } }), /has no HTML document with status 200/],
];
for (const [what, text, message] of wrong)
  test(`a recording that ${what} is refused`, () => assert.throws(() => imported([], text), message));

test("a recording that is too large is refused before it is read", () => {
  const file = join(directory, "large.har");
  writeFileSync(file, "");
  truncateSync(file, 300e6);
  assert.throws(() => importHar(file, "large", directory), /it has 300 MB; up to 256 MB is allowed/);
});

test("a recording with 121 hosts and a wait of 90 s is imported with 100 hosts and a wait of 60 s, the limits of page.yml", () => {
  const hosts = Array.from({ length: 120 }, (_, i) => `https://h${i}.example.org/p.png`);
  const slow = { ...entry("https://www.example.org/poll", { text: "x" }), timings: { connect: 1, wait: 90_000 } };
  const { page, sentences } = imported([
    { ...html("<p>"), timings: { connect: 1, wait: 2 } },
    ...hosts.map((url) => entry(url, { text: "x" })),
    slow,
  ]);
  assert.equal(Math.max(...Object.values(page.hosts)), 100);
  assert.equal(Math.max(...Object.values(page.serverTimes)), 60_000);
  assert.match(sentences, /1 server time is longer than 60 s, and reduced to that limit/);
});

test("a failed import leaves no folder", () => {
  const count = readdirSync(directory).length;
  assert.throws(() => imported([entry(start, {})]), /has no HTML document/);
  assert.equal(readdirSync(directory).length, count + 1, "only the HAR that the test wrote is added");
});
