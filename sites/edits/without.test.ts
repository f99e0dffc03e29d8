import assert from "node:assert/strict";
import { test } from "node:test";
import { htmlAfter, pageOf, shown } from "./edited.fixture.ts";
import { without } from "./without.ts";

const gif = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const all = without(["a.js", "a.css", "a.png", "a b.png", "a.woff2", "f.html", "a.mp4", "sub/a.png"]);

const documents: [what: string, html: string, expected: string][] = [
  [
    "empty data: URLs replace the URLs of scripts and style sheets, and integrity digests are removed",
    `<SCRIPT async SRC=a.js integrity=sha256-x></SCRIPT><link rel=stylesheet href="/a.css?v=1" media=print>`,
    `<SCRIPT async src="data:text/javascript," ></SCRIPT><link rel=stylesheet href="data:text/css," media=print>`,
  ],
  [
    "images of each kind become an empty image, and other candidates of a srcset stay",
    `<img src=a.png srcset="a.png 1x, b.png 2x"><video poster=a.png src=a.mp4></video><svg><image href=a.png /></svg>`,
    `<img src="${gif}" srcset="${gif} 1x, b.png 2x"><video poster="${gif}" src="data:,"></video><svg><image href="${gif}" /></svg>`,
  ],
  [
    "references in the document's CSS are replaced",
    `<style>\r\n@import "a.css"; @font-face{src:url(a.woff2)} p{background:url(a.png)}</style><p style='color:red;background:url("a.png")'>`,
    `<style>\r\n@import "data:text/css,"; @font-face{src:url("data:,")} p{background:url("${gif}")}</style><p style="color:red;background:url(&quot;${gif}&quot;)">`,
  ],
  ["frames become empty", "<iframe src=f.html></iframe>", `<iframe src="data:,"></iframe>`],
  [
    "preload, modulepreload and prefetch links are removed",
    `<link rel=preload as=script href=a.js>\n<LINK REL="modulepreload" HREF="a.js"/><link rel=prefetch href=a.png><link rel=preload as=image href=b.png>`,
    `\n<link rel=preload as=image href=b.png>`,
  ],
  [
    "a preload that also has other candidates stays",
    `<link rel=preload as=image imagesrcset="a.png 1x, b.png 2x">`,
    `<link rel=preload as=image imagesrcset="${gif} 1x, b.png 2x">`,
  ],
  [
    "URLs with entities, escapes, queries and fragments are recognised",
    `<img src="a&#46;png?x&amp;y#z"><img src=a%20b.png><img src=" a b.png ">`,
    `<img src="${gif}"><img src="${gif}"><img src="${gif}">`,
  ],
  [
    "only the first of repeated attributes is replaced",
    `<img src=b.png src=a.png><img src=a.png src=b.png>`,
    `<img src=b.png src=a.png><img src="${gif}" src=b.png>`,
  ],
  [
    "URLs are resolved against the base element",
    `<base href="/sub/"><img src=a.png><img src=/b.png>`,
    `<base href="/sub/"><img src="${gif}"><img src=/b.png>`,
  ],
  ["templates are edited too", `<template><img src=a.png></template>`, `<template><img src="${gif}"></template>`],
  [
    "an attribute of an unclosed element is replaced once",
    `<p><b style="background:url(a.png)">x<p>y`,
    `<p><b style="background:url(&quot;${gif}&quot;)">x<p>y`,
  ],
];
for (const [what, html, expected] of documents)
  test(`if files are removed, ${what}`, () => assert.equal(htmlAfter(all, html), expected));

test("`without` changes nothing in a document that does not request the removed files", () => {
  for (const html of [
    `<noscript><img src=a.png></noscript>`,
    `<img src=b.png><a href=a.png>x</a><!-- <img src=a.png> -->`,
    `<img src=//other.example/a.png><img src="">`,
    `<base href=//other.example/><img src=a.png>`,
  ])
    assert.equal(htmlAfter(all, html), null);
});

test("`without` adds an edited copy of each style sheet that references a removed file, directly or through an imported style sheet", () => {
  const page = pageOf(
    `<link rel=preload as=style href=css/top.css><link rel=stylesheet href="css/top.css?v=1"><link rel=stylesheet href=css/other.css>`,
    {
      "css/top.css": `@charset "utf-8"; @import url(sub/low.css) print; p{background:url(../b.png)}`,
      "css/sub/low.css": `@font-face{src:url(../../a.woff2#iefix) format("woff2"),url(b.woff)}`,
      "css/other.css": "p{background:url(../b.png)}",
    },
  );
  const after = without(["a.woff2"])(page);
  assert.deepEqual(shown(after), [
    `<link rel=preload as=style href="/css/top.#.css"><link rel=stylesheet href="/css/top.#.css?v=1"><link rel=stylesheet href=css/other.css>`,
    {
      "css/sub/low.#.css": `@font-face{src:url("data:,") format("woff2"),url(b.woff)}`,
      "css/top.#.css": `@charset "utf-8"; @import url("/css/sub/low.#.css") print; p{background:url(../b.png)}`,
    },
  ]);
  assert.deepEqual(without(["a.woff2"])(page), after, "the same input gives the same bytes");
  assert.equal(after && without(["a.woff2"])(after), null);
  assert.deepEqual(
    shown(after && without(["css/sub/low.css"])(after))?.[1],
    {
      "css/top.#.css": `@charset "utf-8"; @import url("data:text/css,") print; p{background:url(../b.png)}`,
    },
    "the path of an original also removes its edited copy, and unused copies are left out",
  );
});

test("if two style sheets import each other, their copies omit the import that closes the cycle, because browsers ignore this import", () => {
  const page = pageOf("<style>@import 'b.css'</style>", {
    "a.css": `@import "b.css"; p{background:url(a.png)}`,
    "b.css": `@import "a.css";`,
  });
  assert.deepEqual(shown(without(["a.png"])(page)), [
    `<style>@import "/b.#.css"</style>`,
    { "a.#.css": `@import "data:text/css,"; p{background:url("${gif}")}`, "b.#.css": `@import "/a.#.css";` },
  ]);
  assert.equal(without(["c.png"])(page), null);
});

test("an edit of a document in windows-1252 or UTF-16 changes only the bytes of the edited reference", () => {
  const html = (src: string) => Buffer.from(`<meta charset=windows-1252><p>\xe9<img alt=\x80 ${src}>`, "latin1");
  assert.deepEqual(without(["\xe9.png"])(pageOf(html("src=\xe9.png")))?.html, html(`src="${gif}"`));
  const utf16 = (src: string) => Buffer.from(`\ufeff<p>é<img ${src}>`, "utf16le");
  assert.deepEqual(without(["a.png"])(pageOf(utf16("src=a.png")))?.html, utf16(`src="${gif}"`));
});
