import assert from "node:assert/strict";
import { test } from "node:test";
import { backgroundSteps } from "../../schema/background.ts";
import type { RateStep } from "../../schema/rate-trace.ts";
import { backgroundDelayMs, traceOffsetMs } from "./seeded.ts";

test("the delay of loads with background flows depends only on seed and block; the delays of 400 blocks are spread over `backgroundSteps.ms`", () => {
  assert.equal(backgroundDelayMs(1, 2), backgroundDelayMs(1, 2));
  const drawn = Array.from({ length: 400 }, (_, block) => backgroundDelayMs(7, block + 1));
  assert.ok(drawn.every((ms) => Number.isInteger(ms) && ms >= 0 && ms < backgroundSteps.ms));
  const quarters = [0, 1, 2, 3].map(
    (quarter) => drawn.filter((ms) => Math.floor((4 * ms) / backgroundSteps.ms) === quarter).length,
  );
  assert.ok(
    quarters.every((count) => count > 70),
    String(quarters),
  );
  assert.notDeepEqual(
    drawn.slice(0, 5),
    [1, 2, 3, 4, 5].map((block) => backgroundDelayMs(8, block)),
  );
});

const steps = (ms: number): RateStep[] => [[ms, 1]];

test("a link's offset in its rate trace depends only on seed and block, and is uniformly random in the longer direction's period", () => {
  const trace = { name: "a", down: steps(60_000), up: steps(10_000) };
  const drawn = Array.from({ length: 600 }, (_, block) => traceOffsetMs(trace, 1, block));
  assert.ok(drawn.every((ms) => ms >= 0 && ms < 60_000 && Number.isInteger(ms)));
  for (let sixth = 0; sixth < 6; sixth++) {
    const inside = drawn.filter((ms) => Math.floor(ms / 10_000) === sixth).length;
    assert.ok(inside > 60 && inside < 140, `${inside} of 600 in sixth ${sixth}`);
  }
  assert.equal(traceOffsetMs({ ...trace, name: "b" }, 1, 5), drawn[5]);
  assert.notEqual(traceOffsetMs(trace, 2, 5), drawn[5]);
});
