import assert from "node:assert/strict";
import { test } from "node:test";
import { good, judge } from "./sample-load.fixture.ts";

const problems = (loadEventEnd: number | undefined, loadedByProtocolMs: number | undefined) =>
  judge({
    timing: { ...good.timing, ...(loadEventEnd !== undefined && { loadEventEnd }) },
    ...(loadedByProtocolMs !== undefined && { loadedByProtocolMs }),
  }).contradictions;

test("a load event of any duration is accepted if Navigation Timing and the browser's protocol give the same end", () => {
  assert.deepEqual(problems(801, 802.1), []);
  assert.deepEqual(problems(1900, 1900.3), []);
});

test("a load event is refused if the browser's protocol and the page report different ends, or an end before its beginning", () => {
  assert.match(
    problems(801, 1200).join(),
    /ended after 801 ms by the page's Navigation Timing, but after 1200 ms by the browser's protocol: the page changed/,
  );
  assert.match(problems(1200, 801).join(), /the page changed its times/);
  assert.match(problems(700, 700).join(), /its load event began after 800 ms, but ended after 700 ms/);
});

test("an end of the load event from only one source is a contradiction; records without any end, as in older runs, are accepted", () => {
  assert.deepEqual(problems(undefined, undefined), []);
  assert.match(problems(801, undefined).join(), /from one source only/);
  assert.match(problems(undefined, 801).join(), /from one source only/);
});
