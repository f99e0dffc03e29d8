import assert from "node:assert/strict";
import { test } from "node:test";
import { metrics } from "../../../metrics/registry.ts";
import type { Evidence, PaintEvidence } from "../../../schema/evidence.ts";
import { paintProblems } from "./paint.ts";
import { good, judge } from "./sample-load.fixture.ts";

/** When the load event had ended, by the browser's protocol and by the page. Older records lack both times. */
const now = { loadedByProtocolMs: 801, timing: { ...good.timing, loadEventEnd: 801 } };
const [image] = good.connections[1]!.requests;
const url = "https://s2.lab:4432/A/1.jpg";
const problems = (paint: PaintEvidence, change: Partial<Evidence> = now) => judge({ ...change, paint }).contradictions;
/** The paint evidence of a load whose largest paint is text, or an image with `isImage`. */
const painted = (first: number, largest: number, isImage = false): PaintEvidence => ({
  firstContentfulMs: first,
  largestContentfulMs: Math.max(first, largest),
  byProtocol: {
    firstContentfulMs: first - 2.7,
    largestMs: largest,
    ...(isImage && { image: { url, loadedMs: largest - 9 } }),
  },
});

test("possible paints are accepted, even if Chromium's largest paint is white space and comes before the first contentful paint", () => {
  assert.deepEqual(problems(painted(448, 448)), []);
  assert.deepEqual(problems(painted(448, 812, true)), []);
  assert.deepEqual(problems(painted(448, 360)), []);
});

test("a largest paint before the first paint is refused, except in older records, which have Chromium's own value", () => {
  const paint = { firstContentfulMs: 448, largestContentfulMs: 360 };
  assert.match(problems({ ...painted(448, 360), ...paint }).join(), /largest paint was after 360 ms, before its first/);
  assert.deepEqual(problems(paint, {}), []);
  const { of } = metrics.largestContentfulPaintMs!;
  assert.equal(of({ ...good, paint }), 448, "the largest paint cannot come before the first");
});

test("a JPEG image cannot be painted before its last byte arrives, and a GIF image not before its headers arrive", () => {
  assert.match(problems(painted(448, 700, true)).join(), /largest paint, \/A\/1.jpg, .* it arrived only after 780 ms/);
  const moving = { ...image!, path: "/A/1.gif", answeredMs: 500 };
  const connections = [good.connections[0]!, { ...good.connections[1]!, requests: [moving] }];
  const evidence: Evidence = { ...good, ...now, connections };
  const gif = (largestMs: number) => {
    const paint = painted(448, largestMs, true);
    paint.byProtocol!.image!.url = "https://s2.lab:4432/A/1.gif";
    return paintProblems({ ...evidence, paint }, undefined, {});
  };
  assert.deepEqual(gif(700), []);
  assert.match(gif(480).join(), /A\/1.gif, was after 480 ms, but its response began only after 500 ms/);
});

test("an image whose response ended after the client had reported its requests may have been painted", () => {
  const late = { ...image!, endMs: null, nonBlocking: true as const };
  const connections = [good.connections[0]!, { ...good.connections[1]!, requests: [late] }];
  const evidence = { ...good, ...now, connections, paint: painted(448, 900, true) };
  assert.deepEqual(paintProblems(evidence, undefined, {}), []);
});

test("paint times that differ from DevTools' are refused, and so is a Chromium record without DevTools' times", () => {
  const forged = { ...painted(448, 812), firstContentfulMs: 320, largestContentfulMs: 330 };
  assert.match(
    problems(forged).join(),
    /first paint was after 320 ms by the page, but after 445.3 ms by DevTools.*largest .* 330 ms by the page, but after 812/,
  );
  const { byProtocol: _, ...page } = painted(448, 448);
  assert.match(problems(page).join(), /lacks the paint times by DevTools/);
  assert.deepEqual(paintProblems({ ...good, ...now, paint: page }, undefined, { drivenBy: "WebDriver BiDi" }), []);
});

test("a paint before the HTML's first byte, after the wall time, or by a client without a screen is refused", () => {
  assert.match(
    problems(painted(300, 448)).join(),
    /first paint was after 300 ms, but the HTML began to arrive after 310/,
  );
  const evidence = { ...good, ...now, paint: painted(448, 812) };
  assert.match(paintProblems(evidence, 800, {}).join(), /largest paint was after 812 ms, but its wall time is 800 ms/);
  assert.deepEqual(paintProblems(evidence, 1000, { replays: { connections: 6, pipelines: false } }), [
    "a client without a screen reports paint times",
  ]);
});
