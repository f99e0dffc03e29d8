/** On the virtual clock, where computing takes no time, a program's time is its random reaction time or a wait. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accountOf } from "./account.ts";
import { ask, loadOver, request, segment } from "./made-up-load.fixture.ts";

const registries = { hosts: [], pages: { shop: { sha256: "", learnt: {}, serverTimes: { "a.js": 5, "b.js": 30 } } } };

/** Returns parts of a load whose server answers after 30 ms, and whose browser then takes 4 ms. @param told the server's configured waits */
function partsOf(told: { thinkTimeMs?: number; page?: string; serverTimes?: string } = {}) {
  const { load, trace } = loadOver(235, [request("/", 0, 100, 231)], [ask(100)], [segment(180, 231, 0)]);
  const { parts } = accountOf({ ...load, ...told }, trace, { processingMs: 0.1, registries })!;
  return [parts.server, parts.browser, parts.reaction, parts.unknown].map(Math.round);
}

test('the time of a program counts as "reaction", and as "unknown" if it is longer than any random reaction time', () =>
  assert.deepEqual(partsOf(), [0, 0, 4, 30]));

test('a wait at the server counts as "server" if it is as long as configured, and as "unknown" if it is longer', () => {
  assert.deepEqual(partsOf({ thinkTimeMs: 30 }), [30, 0, 4, 0]);
  assert.deepEqual(partsOf({ thinkTimeMs: 10 }), [0, 0, 4, 30]);
  assert.deepEqual(partsOf({ page: "shop", serverTimes: "recorded" }), [30, 0, 4, 0]);
  assert.deepEqual(partsOf({ page: "shop", serverTimes: "none" }), [0, 0, 4, 30]);
});
