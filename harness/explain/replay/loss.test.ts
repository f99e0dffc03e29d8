import assert from "node:assert/strict";
import { test } from "node:test";
import type { Link } from "../../../schema/link.ts";
import { drawnLoss } from "./loss.ts";

test("over many draws each packet, the first ones too, is lost as often as the link says", () => {
  const link = { lossPercent: 1 } as Link;
  const lost = Array.from({ length: 20 }, () => 0);
  for (let seed = 0; seed < 4000; seed++) {
    const loses = drawnLoss(link, seed);
    for (const packet of lost.keys()) if (loses("any")) lost[packet]!++;
  }
  // 40 are expected; 99.9% of packets are within 3.3 deviations of that, of 20 all with 98%.
  for (const [packet, times] of lost.entries()) assert.ok(Math.abs(times - 40) < 21, `packet ${packet}: ${times}`);
});
