import assert from "node:assert/strict";
import { test } from "node:test";
import { histogramOf, speedIndexMs, visualCompleteness } from "./speed-index.ts";

/** Makes a screen with this many white and black pixels. */
const screen = (white: number, black: number) =>
  histogramOf(Uint8Array.from([...Array(white * 4).fill(255), ...Array(black).fill([0, 0, 0, 255]).flat()]));

test("a frame's visual completeness is the share of all colour changes that have happened by this frame", () => {
  const frames = [screen(100, 0), screen(75, 25), screen(20, 80), screen(0, 100)];
  assert.deepEqual(visualCompleteness(frames), [0, 0.25, 0.8, 1]);
});

test("the completeness of a frame is 0 if the frame is less similar to the last frame than the first frame is", () =>
  assert.deepEqual(visualCompleteness([screen(100, 0), screen(0, 100), screen(90, 10)]), [0, 0, 1]));

test("a page whose frames are all equal is complete from the start", () => {
  assert.deepEqual(visualCompleteness([screen(5, 5), screen(5, 5)]), [1, 1]);
  assert.deepEqual(visualCompleteness([]), []);
});

test("the Speed Index is the area above the curve of visual completeness", () => {
  const frames = [
    { ms: 0, completeness: 0 },
    { ms: 400, completeness: 0.5 },
    { ms: 1000, completeness: 1 },
  ];
  assert.equal(speedIndexMs(frames), 400 + 0.5 * 600);
  assert.equal(speedIndexMs([{ ms: 0, completeness: 1 }]), 0);
  assert.equal(speedIndexMs([]), 0);
});
