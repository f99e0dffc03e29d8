import assert from "node:assert/strict";
import { test } from "node:test";
import { delayMsOf, extraRttsMs, laterBy, placesOf } from "./host-rtts.ts";
import { registriesSchema } from "./registries.ts";

const names = (count: number) => Array.from({ length: count }, (_, i) => [`host${i}.test`]);
const recorded = (rttsMs?: (number | null)[], count = rttsMs?.length ?? 3) => ({
  ...{ url: "https://host0.test/", hosts: names(count) },
  ...(rttsMs && { rttsMs }),
});

test("recorded hosts are assigned to the lab's hosts in turn if their RTTs are equal or are not used", () => {
  assert.deepEqual(placesOf(recorded([20, 80, 20, 80]), 2, "equal"), [0, 1, 0, 1]);
  assert.deepEqual(extraRttsMs(recorded([20, 80, 20, 80]), 2, "equal"), [0, 0]);
  assert.deepEqual(placesOf(recorded([20, 20, 20]), 2, "recorded"), [0, 1, 0], "equal RTTs give no groups");
  assert.deepEqual(extraRttsMs(recorded([20, 20, 20]), 2, "recorded"), [0, 0]);
});

test("recorded hosts with similar RTTs share a host of the lab, and the first recorded host is on the lab's first host", () => {
  const far = recorded([80, 22, 19, 84, 150]);
  assert.deepEqual(placesOf(far, 2, "recorded"), [0, 1, 1, 0, 0]);
  assert.deepEqual(placesOf(far, 3, "recorded"), [0, 1, 1, 0, 2]);
  assert.deepEqual(extraRttsMs(far, 3, "recorded"), [62, 0, 130], "82 - 20.5, 0, 150 - 20.5");
  assert.deepEqual(
    extraRttsMs(recorded([10, 30]), 4, "recorded"),
    [0, 20, 0, 0],
    "hosts that serve nothing are not delayed",
  );
});

test("each of the lab's hosts serves a recorded host if there are enough recorded hosts", () => {
  for (const rttsMs of [
    [5, 5, 5, 5, 90],
    [1, 2, 3, 4],
    [7, 7, 8, 8, 8, 8],
    [100, 1],
  ])
    for (const hosts of [1, 2, 3, 4]) {
      const places = placesOf(recorded(rttsMs), hosts, "recorded");
      assert.equal(new Set(places).size, Math.min(hosts, rttsMs.length), `${rttsMs} on ${hosts}`);
      assert.equal(places[0], 0);
    }
});

test("a host with an unknown RTT gets the lowest known RTT; if no RTT is known, no host is delayed", () => {
  assert.deepEqual(placesOf(recorded([40, null, 10]), 2, "recorded"), [0, 1, 1]);
  assert.deepEqual(extraRttsMs(recorded([40, null, 10]), 2, "recorded"), [30, 0]);
  assert.deepEqual(placesOf(recorded(), 2, "recorded"), [0, 1, 0]);
  assert.deepEqual(extraRttsMs(recorded([null, null]), 2, "recorded"), [0, 0]);
});

test("delayMsOf reads a netem's delay as tc prints it, and is NaN if the netem has another option", () => {
  assert.equal(laterBy(0), undefined);
  assert.equal(laterBy(62), "netem delay 62ms limit 100000");
  assert.equal(delayMsOf("netem limit 100000 delay 62ms"), 62);
  for (const more of ["delay 62ms  10ms loss 5%", "delay 62ms rate 1Mbit", "loss 5%", "delay 1.2s"])
    assert.ok(Number.isNaN(delayMsOf(`netem limit 100000 ${more}`)), more);
  assert.ok(Number.isNaN(delayMsOf("netem limit 5 delay 62ms")), "this limit may drop packets");
  assert.equal(delayMsOf("fq limit 10000p flow_limit 100p buckets 1024 refill_delay 40ms"), 0);
  assert.equal(delayMsOf(), 0);
});

test("a manifest may lack rttsMs; otherwise rttsMs has null or a number from 0 to 60,000 for each recorded host", () => {
  const problem = (rttsMs: unknown) =>
    JSON.stringify(
      registriesSchema.shape.pages.safeParse({
        shop: { sha256: "", learnt: {}, recorded: { url: "https://host0.test/", hosts: names(2), rttsMs } },
      }).error?.issues ?? null,
    );
  for (const rttsMs of [undefined, [10, 20], [10, null]]) assert.equal(problem(rttsMs), "null");
  assert.match(problem([10]), /rttsMs needs a number or null for each of the hosts/);
  for (const rttsMs of [
    [-50, 80],
    [1e308, 20],
  ])
    assert.match(problem(rttsMs), /rttsMs/);
});
