import assert from "node:assert/strict";
import { test } from "node:test";
import type { DirectionParameters, Evidence } from "../schema/evidence.ts";
import { provesRate } from "./direction.ts";

test("a rate is contradicted if packets that were sent at once did not queue behind each other, unless a token bucket had room for them", () => {
  const rate = (sentAtOnceBytes: number, atStart: Partial<DirectionParameters>, mbps = 1) => {
    const counters = { lostPackets: 0, queueDroppedPackets: 0, atStart };
    const evidence = {
      link: { down: counters, up: counters },
      packets: { path: { up: { transit: { least: { ms: 10, bytes: 66 }, backToBack: null, sentAtOnceBytes } } } },
      processor: {},
    } as unknown as Evidence;
    return Object.keys(provesRate("up", evidence, mbps, 0))[0];
  };
  // The quickest packet has 66 of the 900 bytes; the other 834 bytes take 6.7 ms at 1 Mb/s.
  assert.equal(rate(900, {}), "contradicts");
  assert.equal(rate(900, { aqm: "cake" }), "notObservable");
  assert.equal(rate(900, { queueBytes: 64_000 }), "notObservable");
  assert.equal(rate(2500, { aqm: "cake" }), "contradicts");
  // Over a slow link, an ACK's transmission takes longer than the lateness that is tolerated, but no packet waits for the ACK.
  assert.equal(rate(66, {}, 0.03), "notObservable");
});
