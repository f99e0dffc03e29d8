import assert from "node:assert/strict";
import { test } from "node:test";
import { usersOf } from "./users.ts";

test("users are links with percentages", () => {
  assert.deepEqual(usersOf("Cable:40, 4G:40%,3GFast:20"), [
    { link: "Cable", percent: 40 },
    { link: "4G", percent: 40 },
    { link: "3GFast", percent: 20 },
  ]);
  assert.deepEqual(usersOf("10x1-100ms-1%:100"), [{ link: "10x1-100ms-1%", percent: 100 }]);
});

test("percentages that are no whole numbers may have a rounding error", () => {
  assert.equal(usersOf("Cable:33.3,4G:33.3,3GFast:33.4").length, 3);
});

for (const [text, message] of [
  ["Cable:40,4G:40", /the percentages are 80 together, and must be 100/],
  ["Cable", /"Cable" is not a link with the percentage of its users, as in Cable:40/],
  ["Cable:0,4G:100", /"Cable:0" is not a link/],
  ["Cable:-20,4G:120", /"Cable:-20" is not a link/],
  ["Cable:50,Cable:50", /Cable is given twice/],
  ["", /is not a link with the percentage/],
] as const)
  test(`users "${text}" are refused`, () => {
    assert.throws(() => usersOf(text), { exitCode: 2, message });
  });
