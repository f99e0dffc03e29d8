import assert from "node:assert/strict";
import { test } from "node:test";
import { searchSeconds } from "./rounds.ts";

test("a load of the search may take five times as long as the page's slowest one, and ten seconds at least", () => {
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
