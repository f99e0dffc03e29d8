import assert from "node:assert/strict";
import { test } from "node:test";
import { htmlAfter, pageOf, shown } from "./edited.fixture.ts";
import { inTurn } from "./edited-page.ts";
import { inlined } from "./inlined.ts";
import { without } from "./without.ts";

const after = (html: string, css: string) => htmlAfter(inlined("css/s.css"), html, { "css/s.css": css });

test("a link to a style sheet becomes a style element, whose URLs resolve as before", () => {
  const css = `@charset "utf-8";@import "t.css";p{background:url(../i.png#x)}q{background:url(data:,x)}b{filter:url(#f)}`;
  assert.equal(
    after(
      `<link rel=preload as=style href=css/s.css><LINK MEDIA='(width > 9px)' rel=StyleSheet HREF="css/s.css?v" integrity=x id=i>`,
      css,
    ),
    `<style MEDIA='(width > 9px)' id=i>@import "/css/t.css";p{background:url("/i.png#x")}q{background:url(data:,x)}b{filter:url(#f)}</style>`,
  );
});

test("`inlined` changes nothing if no link loads the style sheet, or if no style element can replace the link", () => {
  assert.equal(after("<link rel=stylesheet href=css/s.css>", "p{content:'</STYLE>'}"), null);
  for (const html of [
    `<link rel="alternate stylesheet" href=css/s.css>`,
    `<link rel=preload as=style href=css/s.css>`,
    `<link rel=stylesheet href=css/s.css disabled>`,
    `<style>@import "css/s.css"</style>`,
    `<noscript><link rel=stylesheet href=css/s.css></noscript>`,
    `<link rel=stylesheet href=css/none.css>`,
  ])
    assert.equal(after(html, "p{}"), null, html);
  const xhtml = pageOf("<link rel='stylesheet' href='s.css'/>", { "s.css": "a > b{content:'&'}" }, "a.xhtml");
  assert.equal(inlined("s.css")(xhtml), null);
});

test("`inlined` decodes the style sheet, and writes non-ASCII characters as CSS escapes if the document is not in UTF-8", () => {
  const css = "/* é */ p::before{content:'é1\\é\\\\'}";
  assert.equal(
    after("<meta charset=windows-1252><link rel=stylesheet href=css/s.css>", css),
    "<meta charset=windows-1252><style>/* \\e9 */ p::before{content:'\\e9 1\\e9 \\\\'}</style>".replace(
      "e9 */",
      "e9  */",
    ),
  );
  assert.equal(after("<link rel=stylesheet href=css/s.css>", `\ufeff${css}`), `<style>${css}</style>`);
  const latin1 = Buffer.from(`@charset "iso-8859-1";p::before{content:"\xe9"}`, "latin1");
  assert.equal(
    htmlAfter(inlined("s.css"), "<link rel=stylesheet href=s.css>", { "s.css": latin1 }),
    `<style>p::before{content:"é"}</style>`,
  );
});

test("an encoding declaration that follows the link is copied to the place before the style element", () =>
  assert.equal(
    after("<link rel=stylesheet href=css/s.css><meta charset=utf-8><link rel=stylesheet href=css/s.css>", "p{}"),
    "<meta charset=utf-8><style>p{}</style><meta charset=utf-8><style>p{}</style>",
  ));

test("inlining an edited copy of a style sheet removes the copy from the added files", () => {
  const page = pageOf(`<link rel=stylesheet href=s.css>`, { "s.css": "@font-face{src:url(a.woff)}" });
  const edit = inTurn(without(["a.woff"]), inlined("s.css"));
  assert.deepEqual(shown(edit(page)), [`<style>@font-face{src:url("data:,")}</style>`, {}]);
});
