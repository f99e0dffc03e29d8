import assert from "node:assert/strict";
import { test } from "node:test";
import type { DirectionParameters, Evidence } from "../schema/evidence.ts";
import { provesRate } from "./direction.ts";

test("packets that were sent at once must have waited for one another, unless a token bucket had room for them", () => {
  const rate = (sentAtOnceBytes: number, atStart: Partial<DirectionParameters>) => {
    const counters = { lostPackets: 0, queueDroppedPackets: 0, atStart };
    const evidence = {
      link: { down: counters, up: counters },
      packets: { path: { up: { transit: { backToBack: null, sentAtOnceBytes } } } },
      processor: {},
    } as unknown as Evidence;
    return Object.keys(provesRate("up", evidence, 1, 0))[0];
  };
  // The last packet, of 1,514 bytes, makes no other one wait. The other 900 bytes take 7.2 ms at 1 Mb/s.
  assert.equal(rate(1514 + 900, {}), "contradicts");
  assert.equal(rate(1514 + 500, {}), "notObservable");
  assert.equal(rate(1514 + 900, { aqm: "cake" }), "notObservable");
  assert.equal(rate(1514 + 900, { queueBytes: 64_000 }), "notObservable");
  assert.equal(rate(1514 + 2500, { aqm: "cake" }), "contradicts");
});
