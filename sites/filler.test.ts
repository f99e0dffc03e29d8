import assert from "node:assert/strict";
import { test } from "node:test";
import { fillerComment } from "./filler.ts";

test("fillerComment returns padding of any length, in which only the last characters end the comment", () => {
  for (let bytes = 0; bytes < 300; bytes++) {
    const html = fillerComment(bytes, "<!-- ", " -->");
    assert.equal(Buffer.byteLength(html), bytes);
    assert.match(html, bytes < 9 ? /^\n*$/ : /^<!-- [^-]* -->$/);
  }
});
