import assert from "node:assert/strict";
import { test } from "node:test";
import { htmlAfter, pageOf } from "./edited.fixture.ts";
import { inTurn } from "./edited-page.ts";
import { preloaded } from "./preloaded.ts";
import { without } from "./without.ts";

const link = `<link rel="preload" href="/a.js" as="script"/>`;
const script = preloaded([{ path: "a.js", as: "script" }]);

const places: [what: string, html: string, expected: string][] = [
  [
    "at the start of the head",
    "<!doctype html><HTML><HEAD><title>x</title>",
    `<!doctype html><HTML><HEAD>${link}<title>x</title>`,
  ],
  [
    "after the doctype if html and head have no tags",
    "<!-- x --><!doctype html>\n<p>x",
    `<!-- x --><!doctype html>${link}\n<p>x`,
  ],
  ["after the html tag if head has no tag", "<html lang=en><body>x", `<html lang=en>${link}<body>x`],
  ["at the start of a fragment, after its byte order mark", "\ufeff<p>x", `\ufeff${link}<p>x`],
  ["into an empty document", "", link],
  [
    "after the declaration of the encoding",
    "<head>\n<META CHARSET=utf-8><title>x</title>",
    `<head>\n<META CHARSET=utf-8>${link}<title>x</title>`,
  ],
  [
    "after an encoding declaration with http-equiv, even if other elements precede the declaration",
    `<title>x</title><meta http-equiv=Content-Type content="text/html; charset=utf-8"><script src=b.js></script>`,
    `<title>x</title><meta http-equiv=Content-Type content="text/html; charset=utf-8">${link}<script src=b.js></script>`,
  ],
  [
    "at the start of the head if an encoding declaration is too late for browsers to find",
    `<head><!--${" ".repeat(1024)}--><meta charset=utf-8>`,
    `<head>${link}<!--${" ".repeat(1024)}--><meta charset=utf-8>`,
  ],
  [
    "at the document's start if only SVG or a template has an html or head tag",
    "<template><head></template><svg><html></svg>",
    `${link}<template><head></template><svg><html></svg>`,
  ],
];
for (const [what, html, expected] of places)
  test(`a preload is put ${what}`, () => assert.equal(htmlAfter(script, html), expected));

test("a preload has the query and the crossorigin mode of the request that uses the file", () => {
  const html = `<body><link rel=stylesheet href=s.css><script src="b.js?v=1&amp;w" crossorigin></script>`;
  const after = htmlAfter(
    preloaded([
      { path: "f f.woff2", as: "font" },
      { path: "b.js", as: "script" },
      { path: "m.js", as: "script", module: true },
      { path: "d.json", as: "fetch" },
      { path: "b.js", as: "script" },
    ]),
    html,
    { "s.css": `@font-face{src:url("f%20f.woff2?4#iefix")}` },
  );
  const links = [
    `<link rel="preload" href="/f%20f.woff2?4" as="font" type="font/woff2" crossorigin=""/>`,
    `<link rel="preload" href="/b.js?v=1&amp;w" as="script" crossorigin=""/>`,
    `<link rel="modulepreload" href="/m.js"/>`,
    `<link rel="preload" href="/d.json" as="fetch" crossorigin=""/>`,
  ];
  assert.equal(after, links.join("") + html);
});

test("`preloaded` skips files that have a preload, and preloads an edited copy instead of its original", () => {
  assert.equal(htmlAfter(script, `<link rel="x PRELOAD" href=./a.js as=script>`), null);
  assert.equal(htmlAfter(script, `<link rel=modulepreload href=/a.js>`), null);
  assert.equal(htmlAfter(preloaded([]), ""), null);
  const page = pageOf(`<link rel=stylesheet href=s.css>`, { "s.css": "p{background:url(a.png)}" });
  const after = inTurn(without(["a.png"]), preloaded([{ path: "s.css", as: "style" }]))(page);
  const [copy] = after?.added.keys() ?? [];
  assert.equal(
    after?.html.toString(),
    `<link rel="preload" href="/${copy}" as="style"/><link rel=stylesheet href="/${copy}">`,
  );
});
