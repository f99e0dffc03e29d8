import assert from "node:assert/strict";
import { test } from "node:test";
import { colourOf, shapeOf } from "./style.ts";

test("a figure of 49 series gives each a mark of its own", () => {
  const marks = Array.from({ length: 49 }, (_, place) => `${colourOf(place)} ${shapeOf(place)}`);
  assert.equal(new Set(marks).size, marks.length);
});
