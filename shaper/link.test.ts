import assert from "node:assert/strict";
import { test } from "node:test";
import { linkCommands, readDirection } from "./link.ts";

const link = { downMbps: 10, upMbps: 1.5, rttMs: 25, lossPercent: 1, queuePackets: 50 };
test("each direction, made anew: loss and half the RTT, then the rate with the queue", () => {
  assert.deepEqual(
    linkCommands(link, { access: "a0", core: "c0" }).map((words) => words.join(" ")),
    [
      "qdisc replace dev a0 root handle 2: pfifo",
      "qdisc replace dev a0 root handle 1: netem delay 12.5ms loss 1% limit 100000",
      "qdisc replace dev a0 parent 1:1 handle 10: netem rate 10000000bit limit 50",
      "qdisc replace dev c0 root handle 2: pfifo",
      "qdisc replace dev c0 root handle 1: netem delay 12.5ms loss 1% limit 100000",
      "qdisc replace dev c0 parent 1:1 handle 10: netem rate 1500000bit limit 50",
    ],
  );
});

test("random loss and full-queue drops are told apart: netem counts its child's drops as its own; and what it is, is read", () => {
  const json = JSON.stringify([
    {
      dev: "a0",
      handle: "1:",
      bytes: 100,
      packets: 9,
      drops: 7,
      qlen: 3,
      options: { limit: 1000, delay: { delay: 0.0125 }, "loss-random": { loss: 0.01 } },
    },
    {
      dev: "a0",
      handle: "10:",
      bytes: 100,
      packets: 9,
      drops: 5,
      qlen: 1,
      options: { limit: 50, rate: { rate: 187500 } },
    },
  ]);
  assert.deepEqual(readDirection(json, "a0"), {
    did: { sentPackets: 9, sentBytes: 100, lostPackets: 2, queueDroppedPackets: 5, queuedPackets: 3 },
    is: { rateMbps: 1.5, delayMs: 12.5, lossPercent: 1, queuePackets: 50 },
  });
  assert.throws(() => readDirection(json, "c0"), /c0 has no qdisc 1:/);
});
