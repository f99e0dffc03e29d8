import assert from "node:assert/strict";
import { test } from "node:test";
import { mediaTypeOf } from "./media-type.ts";

test("in a list of media types the last valid type counts; without a charset it takes that of an equal type directly before it", () => {
  for (const [text, type, charset = null] of [
    ["text/plain, text/html", "text/html"],
    ["text/html;charset=utf-8, text/plain", "text/plain"],
    ["text/html; charset=gbk, text/html", "text/html", "gbk"],
    ["text/html; charset=gbk, text/css, text/html", "text/html"],
    ["text/html, */*", "text/html"],
    ["text/html, none", "text/html"],
    ['Text/HTML; x="a,b/c"; Charset="UTF-8"', "text/html", "UTF-8"],
    ["text/html; charset = utf-8", "text/html"],
    ["none", ""],
    ["", ""],
  ] as const)
    assert.deepEqual(mediaTypeOf([text]), { type, charset }, text);
});

test("if several fields have a media type, the first valid type counts, and its charset may come from another field", () => {
  assert.deepEqual(mediaTypeOf(["text/css", "text/html; charset=gbk"]), { type: "text/css", charset: "gbk" });
  assert.deepEqual(mediaTypeOf([null, "x", "text/html"]), { type: "text/html", charset: null });
});
