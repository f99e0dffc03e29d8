import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./syn-timeouts.axis.ts";

/** Times of SYNs from a guest's kernel, Linux 7.2, by default and with tcp_syn_linear_timeouts at 0. */
const linear = [1010, 2030, 3050, 4070, 5090, 7140];
const doubled = [1010, 3060, 7150];

const proof = (when: "linux" | "doubled", synsAgainMs: number[] | undefined, synLinearTimeouts: number | null) =>
  axis.proves(
    when,
    {} as ConditionValues,
    {
      packets: { flows: [{ host: "s1.lab", clientPort: 40000, ...(synsAgainMs && { synsAgainMs }) }] },
      synLinearTimeouts,
    } as Evidence,
    {} as Registries,
  );

test("SYN time-outs that are equal at first confirm `linux` and contradict `doubled`; time-outs that always double do the reverse", () => {
  assert.equal(proof("linux", linear, 4), "confirmed");
  assert.equal(proof("doubled", doubled, 0), "confirmed");
  assert.match(JSON.stringify(proof("linux", doubled, 4)), /time-out 2 of its SYN is twice as long as time-out 1/);
  assert.match(JSON.stringify(proof("doubled", linear, 0)), /time-out 2 of its SYN is not twice as long/);
  assert.match(JSON.stringify(proof("linux", [...linear.slice(0, 5), 6100], 4)), /time-out 6 .* is not twice as long/);
});

test("a value that differs from the kernel's tcp_syn_linear_timeouts is contradicted, even if no SYN was retransmitted", () => {
  assert.match(JSON.stringify(proof("doubled", undefined, 4)), /does not double the first 4 time-outs/);
  assert.match(JSON.stringify(proof("linux", undefined, 0)), /does not double the first 0 .*; 4 is configured/);
});

test("SYN time-outs are not observable if each SYN was sent only once or twice", () => {
  for (const syns of [undefined, [1010]])
    assert.deepEqual(proof("linux", syns, 4), { notObservable: "no SYN was sent three times" });
});

test("if the kernel lacks tcp_syn_linear_timeouts, `linux` is confirmed by time-outs that always double, and contradicted by equal ones", () => {
  assert.equal(proof("linux", doubled, null), "confirmed");
  assert.match(JSON.stringify(proof("linux", linear, null)), /is not twice as long/);
});
