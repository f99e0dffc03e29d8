import assert from "node:assert/strict";
import { test } from "node:test";
import { differentShare } from "./picture.ts";

const picture = (...tiles: (readonly [number, number, number] | "moving")[]) =>
  Buffer.from(tiles.flatMap((tile) => (tile === "moving" ? [0, 0, 0, 0] : [...tile, 255]))).toString("base64");
const [white, grey, black] = [[255, 255, 255] as const, [128, 128, 128] as const, [0, 0, 0] as const];

test("tiles count as different if a colour component differs by 16 of 255 or more", () => {
  assert.equal(differentShare(picture(white, black), picture(white, black)), 0);
  assert.equal(differentShare(picture(white, black), picture(white, grey)), 0.5);
  assert.equal(differentShare(picture(white), picture([255, 255, 240])), 0);
  assert.equal(differentShare(picture(white), picture([255, 255, 239])), 1);
});

test("tiles that were still changing in one of the pictures are not compared", () => {
  assert.equal(differentShare(picture(white, "moving", black), picture(black, grey, "moving")), 1);
  assert.equal(differentShare(picture("moving"), picture(white)), 0);
});

test("pictures of different sizes count as completely different", () => {
  assert.equal(differentShare(picture(white), picture(white, white)), 1);
});
