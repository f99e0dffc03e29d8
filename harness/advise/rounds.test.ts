import assert from "node:assert/strict";
import { test } from "node:test";
import { searchSeconds } from "./rounds.ts";

test("the time limit of the search's loads is five times the unchanged page's slowest load, but at least 10 s", () => {
  const over = (cable: number, slow: number) =>
    searchSeconds(
      new Map([
        ["Cable", new Map([[1, cable]])],
        ["3GFast", new Map([[1, slow]])],
      ]),
    );
  assert.equal(over(900, 3_001), 16);
  assert.equal(over(900, 1_500), 10);
});
