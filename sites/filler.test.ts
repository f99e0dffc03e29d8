import assert from "node:assert/strict";
import { test } from "node:test";
import { fillerComment } from "./filler.ts";

test("fillerComment returns the given number of bytes: newlines below 9 bytes, otherwise a comment that only the last characters end", () => {
  for (let bytes = 0; bytes < 300; bytes++) {
    const html = fillerComment(bytes, "<!-- ", " -->");
    assert.equal(Buffer.byteLength(html), bytes);
    assert.match(html, bytes < 9 ? /^\n*$/ : /^<!-- [^-]* -->$/);
  }
});
