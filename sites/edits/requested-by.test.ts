import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf } from "./edited.fixture.ts";
import { requestedBy } from "./requested-by.ts";

const names =
  "a.js b.js c.js d.js m.mjs a.css b.css c.css d.css i.css e.css a.png b.png c.png d.png x.woff2 f.html i.ico".split(
    " ",
  );
const files = Object.fromEntries(names.map((name) => [name, ""]));

/** Writes each requested file as its path, its use, and where the reference is, with "!" if the file blocks. */
function requested(html: string, more: Record<string, string> = {}): string[] {
  const { page, document } = pageOf(html, { ...files, ...more });
  return requestedBy(page, document).map(
    ({ path, as, from, blocking }) => `${path} ${as} ${from}${blocking ? "!" : ""}`,
  );
}

const documents: [what: string, html: string, expected: string[]][] = [
  [
    "classic scripts in the head block unless they have async or defer",
    `<!DOCTYPE html><SCRIPT SRC=a.js></SCRIPT><script src=b.js async></script><script type=module src=m.mjs></script><body><script src=c.js></script>`,
    ["a.js script markup!", "b.js script markup", "m.mjs module markup", "c.js script markup"],
  ],
  [
    "scripts that do not run are not requested",
    `<script src=a.js nomodule></script><script src=b.js type=text/template></script><script type=Text/JavaScript src=c.js></script>`,
    ["c.js script markup!"],
  ],
  [
    "style sheets for screens block, alternate style sheets do not, and disabled ones are not requested",
    `<link rel=stylesheet href=a.css><link rel=stylesheet href=b.css media="print, SCREEN"><link rel=stylesheet href=c.css media=print><link rel="alternate stylesheet" href=d.css><link rel=stylesheet href=e.css disabled>`,
    ["a.css style markup!", "b.css style markup!", "c.css style markup", "d.css style markup"],
  ],
  [
    "a file that is preloaded and used is listed once, with its use",
    `<link rel=preload as=script href=a.js><link rel=preload as=font href=x.woff2 crossorigin><link rel=modulepreload href=m.mjs><script src="a.js?v"></script><script src=a.js></script>`,
    ["a.js script markup!", "x.woff2 font markup", "m.mjs module markup"],
  ],
  [
    "images in attributes, picture elements and SVG",
    `<body background=a.png><picture><source srcset="b.png 1x, none.png 2x"><img src=c.png></picture><svg><image xlink:href=d.png /></svg>`,
    ["a.png image markup", "b.png image markup", "c.png image markup", "d.png image markup"],
  ],
  [
    "files of frames and shadow roots, but not icons and files in templates and noscript",
    `<link rel=icon href=i.ico><iframe src=f.html></iframe><template><img src=a.png></template><noscript><img src=b.png></noscript><p><template shadowrootmode=open><img src=c.png></template>`,
    ["f.html frame markup", "c.png image markup"],
  ],
];
for (const [what, html, expected] of documents)
  test(`what a document requests: ${what}`, () => assert.deepEqual(requested(html), expected));

test("what a document requests: the files of a style sheet come directly after the style sheet", () => {
  const css = {
    "a.css": `@import "i.css"; @font-face{src:url(x.woff2)}`,
    "i.css": `@import "a.css"; p{background:url(a.png)}`,
  };
  const html = `<link rel=stylesheet href=a.css><p style="background:url(b.png)"><style>p{background:url(c.png)}</style><img src=a.png>`;
  assert.deepEqual(requested(html, css), [
    ...["a.css style markup!", "i.css style style", "a.png image style", "x.woff2 font style"],
    ...["b.png image style", "c.png image style"],
  ]);
});

test("requestedBy throws an error that names the document if the document is not an HTML file of the page", () => {
  const { page } = pageOf("", files);
  for (const document of ["none.html", "a.css", "a.png"])
    assert.throws(() => requestedBy(page, document), { message: `page: ${document} is not an HTML file of this page` });
});
