import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "./generated-page.ts";
import { htmlFiles, type Variant } from "./html.ts";
import { loadGenerated } from "./pages.ts";
import { objectHost, pagePath } from "./paths.ts";

const protocols = [
  { name: "h1", scheme: "https", port: 4431 } as const,
  { name: "h2", scheme: "https", port: 4432 } as const,
];
const variants: Variant[] = [1, 2, 3, 4].flatMap((hostCount) => protocols.map((protocol) => ({ hostCount, protocol })));

/** Every image gets the dimensions of a photo, which take many characters in the HTML. */
const pixelsOf = (page: Page) => new Map(page.objects.map(({ index }) => [index, { width: 1024, height: 768 }]));
const urls = (html: string) => [...html.matchAll(/src=([^ >]+)/g)].map(([, url]) => new URL(url as string));

test("in every variant (number of hosts, protocol), a page's HTML has the size that page.yml requires", () => {
  for (const name of ["A", "B", "C"]) {
    const page = loadGenerated(name);
    const files = htmlFiles(page, variants, pixelsOf(page));
    assert.deepEqual(
      [...files.keys()],
      ["1-h1.html", "1-h2.html", "2-h1.html", "2-h2.html", "3-h1.html", "3-h2.html", "4-h1.html", "4-h2.html"],
    );
    for (const html of files.values()) assert.equal(Buffer.byteLength(html), page.html.bytes);
  }
});

test("the HTML references each object once, on the object's host and port, and has an empty inline icon", () => {
  const page = loadGenerated("A");
  const html = htmlFiles(page, variants, new Map()).get("4-h2.html") ?? "";
  assert.deepEqual(
    urls(html).map(({ href }) => href),
    page.objects.map(({ index, file }) => `https://${objectHost(index, 4)}:4432/A/${file}`),
  );
  assert.match(html, /<script src=https:\/\/s2\.lab:4432\/A\/jquery\.js><\/script>.*<body>/s);
  assert.match(html, /<link rel=icon href=data:,>/);
});

test("objects are divided equally over the hosts, and the HTML counts as an object of s1", () => {
  assert.equal(objectHost(0, 4), "s1.lab");
  for (const name of ["A", "B", "C"])
    for (const hostCount of [1, 2, 3, 4, 7]) {
      const indices = [0, ...loadGenerated(name).objects.map(({ index }) => index)];
      const perHost = new Map<string, number>();
      for (const index of indices)
        perHost.set(objectHost(index, hostCount), (perHost.get(objectHost(index, hostCount)) ?? 0) + 1);
      assert.deepEqual(
        [...perHost.keys()].sort(),
        Array.from({ length: hostCount }, (_, k) => `s${k + 1}.lab`),
      );
      assert.ok(Math.max(...perHost.values()) - Math.min(...perHost.values()) <= 1);
    }
});

test("Page A's images are spread over its whole HTML: the last image is in the last 3% of the bytes", () => {
  const page = loadGenerated("A");
  const html = htmlFiles(page, variants, pixelsOf(page)).get("1-h1.html") ?? "";
  assert.ok(html.lastIndexOf("<img") > page.html.bytes * 0.97);
});

test("the HTML leaves out the dimensions of images if they do not fit into its size", () => {
  const page = loadGenerated("C");
  const tight = { ...page, html: { ...page.html, bytes: 500 } };
  assert.match(htmlFiles(page, variants, pixelsOf(page)).get("1-h1.html") ?? "", / width=1024 height=768>/);
  assert.doesNotMatch(htmlFiles(tight, variants, pixelsOf(page)).get("1-h1.html") ?? "", /width/);
});

test("an HTML size that is too small for the page's objects is refused", () => {
  const page = loadGenerated("C");
  const tiny = { ...page, html: { text: "0.2 KB", bytes: 200, stepBytes: 100 } };
  assert.throws(
    () => htmlFiles(tiny, variants, new Map()),
    /^LabError: pages\/C\/page\.yml: html: 0\.2 KB is too small for 10 objects; \d+ B or more/,
  );
});

test("a page's path contains its number of hosts and its protocol", () =>
  assert.equal(pagePath({ name: "A" }, 2, "h2"), "/A/2-h2.html"));
