import assert from "node:assert/strict";
import { test } from "node:test";
import { backgroundSteps } from "../../schema/background.ts";
import { backgroundDelayMs } from "./background-delay.ts";

test("a delay depends only on the seed and the block, and the delays of blocks are spread evenly over a step", () => {
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
