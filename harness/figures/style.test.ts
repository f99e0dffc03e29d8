import assert from "node:assert/strict";
import { test } from "node:test";
import { colourOf, shapeOf } from "./style.ts";

test("each of 49 series in a figure has its own mark", () => {
  const marks = Array.from({ length: 49 }, (_, place) => `${colourOf(place)} ${shapeOf(place)}`);
  assert.equal(new Set(marks).size, marks.length);
});
