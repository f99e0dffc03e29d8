import assert from "node:assert/strict";
import { test } from "node:test";
import { mediaTypeOf } from "./media-type.ts";

test("mediaTypeOf returns the last valid type of a list; if this type has no charset, the charset of an equal type directly before it counts", () => {
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

test("for several fields that may have the type, mediaTypeOf returns the first valid type and the first charset, which may be in another field", () => {
  assert.deepEqual(mediaTypeOf(["text/css", "text/html; charset=gbk"]), { type: "text/css", charset: "gbk" });
  assert.deepEqual(mediaTypeOf([null, "x", "text/html"]), { type: "text/html", charset: null });
});
