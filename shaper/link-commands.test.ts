import assert from "node:assert/strict";
import { test } from "node:test";
import { linkCommands, rateCommand, readDirection } from "./link-commands.ts";

const link = { downMbps: 10, upMbps: 1.5, rttMs: 25, lossPercent: 1, queuePackets: 50 };
test("each direction gets a new netem with the loss and half of the RTT, and below it a netem with the rate and the queue", () => {
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

test("with a loss seed, netem gets a different seed in each direction", () => {
  const lines = linkCommands({ ...link, lossSeed: 7 }, { access: "a0", core: "c0" }).map((words) => words.join(" "));
  assert.deepEqual(
    lines.flatMap((line) => /^qdisc replace dev (..).* (seed \d+)$/.exec(line)?.slice(1) ?? []),
    ["a0", "seed 14", "c0", "seed 15"],
  );
});

test("a link that duplicates and corrupts packets has a token bucket instead of a second netem, and both percentages are read back", () => {
  const damaging = { ...link, lossPercent: 0, duplicatePercent: 2, corruptPercent: 1 };
  const lines = linkCommands(damaging, { access: "a0", core: "c0" });
  assert.deepEqual(
    lines.slice(1, 4).map((words) => words.join(" ")),
    [
      "qdisc replace dev a0 root handle 1: netem delay 12.5ms loss 0% duplicate 2% corrupt 1% limit 100000",
      "qdisc replace dev a0 parent 1:1 handle 10: tbf rate 10000000bit burst 1600 limit 80000",
      "qdisc replace dev a0 parent 10:1 handle 20: pfifo limit 50",
    ],
  );
  const counters = { dev: "a0", bytes: 0, packets: 0, drops: 0, qlen: 0 };
  const json = JSON.stringify([
    {
      ...counters,
      handle: "1:",
      options: { delay: { delay: 0.0125 }, duplicate: { duplicate: 0.02 }, corrupt: { corrupt: 0.01 } },
    },
    { ...counters, handle: "10:", options: { rate: 1250000 } },
  ]);
  const { duplicatePercent, corruptPercent } = readDirection(json, "a0").is;
  assert.deepEqual([duplicatePercent, corruptPercent], [2, 1]);
});

test("readDirection reads the parameters, and separates random loss from queue drops, although netem also counts its child's drops", () => {
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

test("a queue in bytes is below a token bucket, the directions' queues may differ, and a queue's limits are read back", () => {
  const bytes = { ...link, queuePackets: 42, queueBytes: 64_000, upQueue: { queuePackets: 256 } };
  assert.deepEqual(
    linkCommands(bytes, { access: "a0", core: "c0" })
      .map((words) => words.join(" "))
      .filter((line) => /parent/.test(line)),
    [
      "qdisc replace dev a0 parent 1:1 handle 10: tbf rate 10000000bit burst 1600 limit 64000",
      "qdisc replace dev a0 parent 10:1 handle 20: bfifo limit 64000",
      "qdisc replace dev c0 parent 1:1 handle 10: netem rate 1500000bit limit 256",
    ],
  );
  const counters = { dev: "a0", bytes: 100, packets: 9, drops: 2, qlen: 1 };
  const json = JSON.stringify([
    { ...counters, kind: "netem", handle: "1:", options: { limit: 1000, delay: { delay: 0.0125 } } },
    { ...counters, kind: "tbf", handle: "10:", options: { rate: 1_250_000, burst: 1600 } },
    { ...counters, kind: "bfifo", handle: "20:", options: { limit: 64_000 } },
  ]);
  assert.deepEqual(readDirection(json, "a0").is, {
    ...{ rateMbps: 10, delayMs: 12.5, lossPercent: 0, queuePackets: 42, queueBytes: 64_000 },
  });
});

test("a varying rate is set by a token bucket, and the command that changes the rate keeps the queue's limit", () => {
  const devices = { access: "a0", core: "c0" };
  const steps: [number, number][] = [[1000, 10]];
  const traced = { ...link, trace: { name: "x", down: steps, up: steps } };
  const below = (given: Parameters<typeof linkCommands>[0]) =>
    linkCommands(given, devices)
      .map((command) => command.join(" "))
      .filter((line) => /dev a0 parent/.test(line));
  assert.deepEqual(below(traced), [
    "qdisc replace dev a0 parent 1:1 handle 10: tbf rate 10000000bit burst 1850 limit 50",
    "qdisc replace dev a0 parent 10:1 handle 20: pfifo limit 50",
  ]);
  // Linux copies the bucket's limit to the pfifo or bfifo below it, so the limit is in the unit of that queue.
  const changed = (given: typeof traced) => rateCommand(given, "up", 2, devices).join(" ");
  assert.equal(changed(traced), "qdisc change dev c0 parent 1:1 handle 10: tbf rate 2000000bit burst 1650 limit 50");
  assert.match(changed({ ...traced, ...{ queuePackets: 42, queueBytes: 64_000 } }), /limit 64000$/);
  const counters = { dev: "a0", bytes: 100, packets: 9, drops: 2, qlen: 1 };
  const json = JSON.stringify([
    { ...counters, kind: "netem", handle: "1:", options: { limit: 1000, delay: { delay: 0.0125 } } },
    { ...counters, kind: "tbf", handle: "10:", options: { rate: 1_250_000, burst: 1850 } },
    { ...counters, kind: "pfifo", handle: "20:", options: { limit: 50 } },
  ]);
  assert.deepEqual(readDirection(json, "a0").is, { rateMbps: 10, delayMs: 12.5, lossPercent: 0, queuePackets: 50 });
});

const words = (
  more: Partial<
    typeof link & {
      jitterMs: number;
      reorders: true;
      lossBurstPackets: number;
      lossIn: "down";
      aqm: "fq_codel" | "cake" | "dualpi2";
      ecn: true;
    }
  >,
) =>
  linkCommands({ ...link, ...more }, { access: "a0", core: "c0" })
    .slice(1, -3)
    .map((command) => command.slice(4).join(" "));

test("jitter is added to the delay, and reorders packets only if requested", () => {
  assert.equal(words({ jitterMs: 10 })[0], "root handle 1: netem delay 17.5ms 5ms rate 100gbit loss 1% limit 100000");
  assert.equal(
    words({ jitterMs: 10, reorders: true })[0],
    "root handle 1: netem delay 17.5ms 5ms loss 1% limit 100000",
  );
});

test("loss bursts have the configured average loss and average length", () => {
  const [, toLost, toKept] = /gemodel ([\d.]+)% ([\d.]+)%/.exec(words({ lossBurstPackets: 4 })[0]!)!;
  assert.equal(Number(toKept), 25);
  assert.equal((Number(toLost) / (Number(toLost) + Number(toKept))).toFixed(6), "0.010000");
});

test("lossIn limits random loss to one direction: the netem of the other direction gets 0% loss", () => {
  const commands = linkCommands({ ...link, lossIn: "down" }, { access: "a0", core: "c0" }).map((each) =>
    each.join(" "),
  );
  const loss = (device: string) =>
    commands.flatMap((command) => new RegExp(`dev ${device} .* loss (\\S+)`).exec(command)?.[1] ?? []);
  assert.deepEqual([loss("a0"), loss("c0")], [["1%"], ["0%"]]);
});

test("an AQM gets the queue's limit, and is below a token bucket that holds one packet", () =>
  assert.deepEqual(words({ aqm: "fq_codel" }).slice(1, 3), [
    "parent 1:1 handle 10: tbf rate 10000000bit burst 1600 limit 80000",
    "parent 10:1 handle 20: fq_codel limit 50 noecn",
  ]));

test("with ECN, fq_codel marks packets; cake gets a memory limit, but no rate; dualpi2 keeps its defaults", () => {
  const below = (aqm: "fq_codel" | "cake" | "dualpi2") => words({ aqm, ecn: true })[2];
  assert.equal(below("fq_codel"), "parent 10:1 handle 20: fq_codel limit 50 ecn");
  assert.equal(below("cake"), "parent 10:1 handle 20: cake unlimited memlimit 115200");
  assert.equal(below("dualpi2"), "parent 10:1 handle 20: dualpi2");
});

test("readDirection reads cake's limit, whether fq_codel marks packets, and a discipline whose options tc does not know", () => {
  const counters = { dev: "a0", bytes: 100, packets: 9, drops: 2, qlen: 1 };
  const above = [
    { ...counters, kind: "netem", handle: "1:", options: { limit: 1000, delay: { delay: 0.0125 } } },
    { ...counters, kind: "tbf", handle: "10:", options: { rate: 1_250_000, burst: 1600 } },
  ];
  const plain = { rateMbps: 10, delayMs: 12.5, lossPercent: 0 };
  const read = (below: object, change = (json: string) => json) =>
    readDirection(change(JSON.stringify([...above, { ...counters, handle: "20:", ...below }])), "a0").is;
  assert.deepEqual(read({ kind: "cake", options: { memlimit: 115_200 } }), { ...plain, queuePackets: 50, aqm: "cake" });
  assert.deepEqual(read({ kind: "fq_codel", options: { limit: 50, ecn: true } }), {
    ...{ ...plain, queuePackets: 50, aqm: "fq_codel", ecn: true },
  });
  const unknown = (json: string) => json.replace('"options":{}', '"options":{[Unknown qdisc, optlen=140] }');
  assert.deepEqual(read({ kind: "dualpi2", options: {} }, unknown), { ...plain, queuePackets: 0, aqm: "dualpi2" });
});

test("readDirection reads jitter, reordering, loss bursts, rate and AQM", () => {
  const discipline = { dev: "a0", bytes: 100, packets: 9, drops: 0, qlen: 0 };
  const json = JSON.stringify([
    {
      ...discipline,
      kind: "netem",
      handle: "1:",
      options: { delay: { delay: 0.0175, jitter: 0.005 }, "loss-gemodel": { p: 0.25 / 99, r: 0.25 } },
    },
    { ...discipline, kind: "tbf", handle: "10:", options: { rate: 187500, burst: 1600 } },
    { ...discipline, kind: "fq_codel", handle: "20:", options: { limit: 50 } },
  ]);
  const { lossPercent, ...is } = readDirection(json, "a0").is;
  assert.equal(lossPercent.toFixed(6), "1.000000");
  assert.deepEqual(is, {
    delayMs: 12.5,
    jitterMs: 10,
    reorders: true,
    lossBurstPackets: 4,
    rateMbps: 1.5,
    queuePackets: 50,
    aqm: "fq_codel",
  });
});
