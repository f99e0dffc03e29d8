import assert from "node:assert/strict";
import { test } from "node:test";
import { colourOf, shapeOf } from "./style.ts";

test("no two of a figure's first 49 series have the same colour and shape", () => {
  const marks = Array.from({ length: 49 }, (_, place) => `${colourOf(place)} ${shapeOf(place)}`);
  assert.equal(new Set(marks).size, marks.length);
});
