import assert from "node:assert/strict";
import { test } from "node:test";
import { cssPlaces } from "./css-references.ts";
import { htmlPlaces } from "./html-references.ts";
import { rewrite } from "./place.ts";

const marked = ({ url, as }: { url: string; as: string }) => `<${url}|${as}>`;
const css = (text: string) => rewrite(text, cssPlaces(text), ({ url }) => `<${url}>`);
const html = (text: string) => rewrite(text, htmlPlaces(text).places, marked);

const sheets: [what: string, text: string, expected: string][] = [
  [
    "url() with and without quotes",
    `a{b:url(x.png) url( "y.png" ) url('z.png')}`,
    `a{b:url("<x.png>") url( "<y.png>" ) url("<z.png>")}`,
  ],
  [
    "@import with a string or url(), and conditions",
    `@import "a.css" print; @IMPORT url(b.css);`,
    `@import "<a.css>" print; @IMPORT url("<b.css>");`,
  ],
  [
    "strings in image-set(), but not in type()",
    `a{b:image-set("x.avif" type("image/avif"))}`,
    `a{b:image-set("<x.avif>" type("image/avif"))}`,
  ],
  [
    "url() after @namespace, but not the namespace's URL",
    `@namespace svg url(http://w3.org/svg); a{b:url(x)}`,
    `@namespace svg url(http://w3.org/svg); a{b:url("<x>")}`,
  ],
  [
    "no url() in comments and strings",
    `/* url(a) */ a::before{content:"url(b)"}`,
    `/* url(a) */ a::before{content:"url(b)"}`,
  ],
  ["url() with an escape", `a{b:url(x\\ y.png)}`, `a{b:url("<x y.png>")}`],
  ["url() after a syntax error", `a{b:url(bad"quote)} c{d:url(e)}`, `a{b:url(bad"quote)} c{d:url("<e>")}`],
];
for (const [what, text, expected] of sheets)
  test(`a style sheet's references: ${what}`, () => assert.equal(css(text), expected));

const documents: [what: string, text: string, expected: string][] = [
  ["URLs with entities and quotes", `<img alt=1 src='a&amp;b.png'>`, `<img alt=1 src="<a&amp;b.png|object>">`],
  ["candidates of srcset", `<img srcset="a.png 1x, b.png 2x">`, `<img srcset="<a.png|object> 1x, <b.png|object> 2x">`],
  [
    "links whose files a browser requests",
    `<link rel=stylesheet href=a><link rel=next href=b>`,
    `<link rel=stylesheet href="<a|object>"><link rel=next href=b>`,
  ],
  ["hosts to connect to", `<link rel=preconnect href=//a>`, `<link rel=preconnect href="<//a|connection>">`],
  ["frames", `<iframe src=a></iframe>`, `<iframe src="<a|document>"></iframe>`],
  [
    "style elements, after CRLF",
    `\r\n<style>\r\na{b:url(c)}</style>\r\n<img src=d>`,
    `\r\n<style>\r\na{b:url("<c|object>")}</style>\r\n<img src="<d|object>">`,
  ],
  ["style attributes", `<p style="a:url('b')">`, `<p style="a:url(&quot;<b|object>&quot;)">`],
  [
    "scripts, whose integrity digests are removed",
    `<script src=a integrity=sha256-x></script>`,
    `<script src="<a|object>" ></script>`,
  ],
  [
    "no hyperlinks, and no URLs in forms and noscript",
    `<a href=b>x</a><form action=c></form><noscript><img src=d></noscript>`,
    `<a href=b>x</a><form action=c></form><noscript><img src=d></noscript>`,
  ],
  [
    "templates and SVG",
    `<template><img src=a></template><svg><image xlink:href="b"/><use href="c#d"/></svg>`,
    `<template><img src="<a|object>"></template><svg><image xlink:href="<b|object>"/><use href="<c#d|document>"/></svg>`,
  ],
];
for (const [what, text, expected] of documents)
  test(`a document's references: ${what}`, () => assert.equal(html(text), expected));

test("the first base element of a document counts", () =>
  assert.equal(htmlPlaces(`<base href="/x/"><base href="/y/">`).base, "/x/"));
