import assert from "node:assert/strict";
import { test } from "node:test";
import { colourOf, shapeOf } from "./style.ts";

test("each of a figure's first 49 series has its own combination of colour and shape", () => {
  const marks = Array.from({ length: 49 }, (_, place) => `${colourOf(place)} ${shapeOf(place)}`);
  assert.equal(new Set(marks).size, marks.length);
});
