import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { LabError } from "../../schema/errors.ts";
import { importHar } from "./import-har.ts";
import { entryOf, htmlOf, origin, tryImport } from "./try-import.fixture.ts";

const bomb = (size: number, type: string) => [htmlOf("<p>"), entryOf("/a", { type, size })];
const refused: [what: string, entries: object[], message: RegExp][] = [
  [
    "a host name that is a path out of the folder",
    [htmlOf("<p>"), entryOf("https://../evil.ts?x", { text: "x" })],
    /entry 2: "\.\." responded/,
  ],
  [
    "a host name that is too long",
    [htmlOf("<p>"), entryOf(`https://${"b".repeat(64)}.test/`, { text: "x" })],
    /entry 2: "b+\.test" responded/,
  ],
  [
    "a script of 600 MB",
    bomb(6e8, "text/javascript"),
    /600 MB together, but a page may have 200 MB; the largest is entry 2/,
  ],
  ["a picture of 3 GB", bomb(3e9, "image/png"), /the largest is entry 2/],
  ["a file of 1 TB", bomb(1e12, "application/octet-stream"), /the largest is entry 2/],
  [
    "10,001 files",
    Array.from({ length: 10_001 }, (_, i) => htmlOf("x", { entry: { request: { url: `${origin}/${i}` } } })),
    /has 10001 files/,
  ],
  [
    "no valid URL",
    [entryOf("http://", { type: "text/html", text: "x" })],
    /no HTML .*\n1 entry left out: its URL is invalid/,
  ],
];
for (const [what, entries, message] of refused)
  test(`a recording with ${what} is refused, and nothing is written`, () => {
    const directory = mkdtempSync(join(tmpdir(), "hostile-"));
    try {
      const file = join(directory, "page.har");
      writeFileSync(file, JSON.stringify({ log: { entries } }));
      assert.throws(
        () => importHar(file, "page", join(directory, "pages")),
        (error) => {
          assert.ok(error instanceof LabError && error.exitCode === 2);
          assert.match(error.message, message);
          return true;
        },
      );
      assert.deepEqual(readdirSync(directory), ["page.har"]);
      assert.ok(!existsSync(join(directory, "../evil.ts")));
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

test("a recording whose decompressed size exceeds the limit is refused", () => {
  const zeros = gzipSync(Buffer.alloc(257 * 2 ** 20, 32), { level: 1 });
  assert.throws(() => tryImport([], {}, () => zeros), /has more than 256 MB after decompression/);
});

test("a URL whose path would collide with a file of the page, or lead out of the page's folder, gets another file name", () => {
  const image = (url: string) => entryOf(url, { type: "image/png", text: "x" });
  const { contents } = tryImport([
    htmlOf("<p>"),
    image("/index.html/a.png"),
    image("/page.yml/b.png"),
    image("https://page.yml/c.png"),
    image("https://__proto__/d.png"),
    image(`/${"e".repeat(100_000)}.png`),
    image("/\ud800.png"),
    image("/%2e%2e%2f%2e%2e%2ff.png"),
    image("/%E2%80%AEg.png"),
  ]);
  assert.equal(contents.size, 9);
  for (const path of contents.keys()) assert.doesNotMatch(path, /\.\.|^page\.yml|^index\.html\/|\u202e/);
});

const slow: [what: string, entries: () => object[]][] = [
  [
    "30,000 redirects and 30,000 references to them",
    () => [
      htmlOf("<img src=/r0><img src=/r7>".repeat(15_000)),
      ...Array.from({ length: 30_000 }, (_, i) => entryOf(`/r${i}`, { status: 302, redirectURL: `/r${i + 1}` })),
    ],
  ],
  [
    "a loop of 30,000 redirects before the page",
    () => [
      ...Array.from({ length: 30_000 }, (_, i) =>
        entryOf(`/r${i}`, { status: 302, redirectURL: i < 29_999 ? `/r${i + 1}` : "/r0" }),
      ),
      htmlOf("<p>"),
    ],
  ],
  [
    "one page load with a document and 20,000 without one",
    () => [
      { ...htmlOf("<p>"), pageref: "first" },
      ...Array.from({ length: 20_000 }, (_, i) => ({ ...entryOf("/a.css"), pageref: `page ${i}` })),
    ],
  ],
  [
    "9,000 hosts",
    () => [htmlOf("<p>"), ...Array.from({ length: 9000 }, (_, i) => entryOf(`https://h${i}.test/`, { text: "x" }))],
  ],
  ["60,000 nested elements", () => [htmlOf("<div>".repeat(60_000))]],
  [
    "60,000 responses without times",
    () => [
      htmlOf("<p>"),
      ...Array.from({ length: 60_000 }, () => ({ ...entryOf("/a.css", { text: "x" }), startedDateTime: "" })),
    ],
  ],
];
for (const [what, entries] of slow)
  test(`a recording with ${what} is imported in less than 15 s of CPU time`, () => {
    const begunMs = process.cpuUsage().user / 1000;
    assert.ok(tryImport(entries()).contents.has("index.html"));
    const ms = process.cpuUsage().user / 1000 - begunMs;
    assert.ok(ms < 15_000, `${ms} ms`);
  });
