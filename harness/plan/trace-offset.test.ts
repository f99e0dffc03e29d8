import assert from "node:assert/strict";
import { test } from "node:test";
import type { RateStep } from "../../schema/rate-trace.ts";
import { traceOffsetMs } from "./trace-offset.ts";

const steps = (ms: number): RateStep[] => [[ms, 1]];

test("offsets are uniformly random in the longer direction's period, and depend on seed and block only", () => {
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
