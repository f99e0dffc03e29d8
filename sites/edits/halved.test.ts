import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf, shown } from "./edited.fixture.ts";
import { inTurn } from "./edited-page.ts";
import { halfShows, halved } from "./halved.ts";
import { without } from "./without.ts";

const jpeg = Buffer.from("\xff\xd8\xff0123456789", "latin1");
const files = {
  "img/a b.jpg": jpeg,
  "i.png": "\x89PNG\r\n\x1a\n",
  "v.svg": "<svg/>",
  "css/s.css": `p{background:url("../img/a b.jpg#x")}`,
};

test("`halved` adds an image's first half as a new file, and rewrites references to the image in the document and in style sheets", () => {
  const page = pageOf(`<link rel=stylesheet href=css/s.css><img src="img/a%20b.jpg?q"><img src=v.svg>`, files);
  const after = halved(["img/a b.jpg", "v.svg", "none.png"])(page);
  assert.deepEqual(shown(after), [
    `<link rel=stylesheet href="/css/s.#.css"><img src="/img/a%20b.#.jpg?q"><img src=v.svg>`,
    { "css/s.#.css": `p{background:url("/img/a%20b.#.jpg#x")}`, "img/a b.#.jpg": jpeg.subarray(0, 7).toString() },
  ]);
  assert.equal([...(after?.originals.values() ?? [])].sort().join(), "css/s.css,img/a b.jpg");
  assert.equal(after && halved(["img/a b.jpg"])(after), null, "a half is not halved again");
});

test("edits combine: an image of an edited style sheet can be halved, and a halved image can be removed", () => {
  const page = pageOf(`<link rel=stylesheet href=s.css>`, {
    "a.jpg": jpeg,
    "s.css": "@font-face{src:url(f.woff)} p{background:url(a.jpg)}",
  });
  const [html, added] = shown(inTurn(without(["f.woff"]), halved(["a.jpg"]))(page)) ?? [];
  assert.equal(html, `<link rel=stylesheet href="/s.#.css">`);
  assert.deepEqual(Object.keys(added ?? {}).sort(), ["a.#.jpg", "s.#.css"]);
  assert.equal(added?.["s.#.css"], `@font-face{src:url("data:,")} p{background:url("/a.#.jpg")}`);
  const gone = shown(inTurn(halved(["a.jpg"]), without(["a.jpg"]))(page));
  assert.deepEqual(Object.keys(gone?.[1] ?? {}), ["s.#.css"]);
});

test("from a file's first bytes, halfShows tells what half the image shows: the first part of a JPEG or GIF, nothing of a WebP; null for other files", () => {
  const webp = Buffer.from("RIFF\0\0\0\0WEBPVP8 ", "latin1");
  assert.deepEqual([jpeg, Buffer.from("GIF89a"), webp, Buffer.from("<svg/>"), Buffer.alloc(0)].map(halfShows), [
    "first part",
    "first part",
    "nothing",
    null,
    null,
  ]);
});
