import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./queue.axis.ts";

const [queue, queueUp] = axis as [(typeof axis)[0], (typeof axis)[1]];

test("a queue of 10.5 packets is refused with a message about the value, and a whole number of packets is accepted", () => {
  const refused = queue.value.safeParse(10.5);
  assert.match(
    refused.error!.issues[0]!.message,
    /"10\.5" is not a whole number of packets or bytes, as in "50 packets" or "64 KB"/,
  );
  assert.equal(queue.value.parse(10), 10);
  assert.equal(queue.value.parse("10 packets"), 10);
  assert.equal(queue.value.parse("100"), 100);
});

test("a queue length in bytes needs a unit, and must be at least a full packet", () => {
  for (const [given, bytes] of [
    ["64 KB", 64_000],
    ["64KiB", 65_536],
    ["1.5 MB", 1_500_000],
    ["2000 bytes", 2000],
  ] as const)
    assert.equal(queue.value.parse(given), `${bytes}bytes`);
  assert.match(queue.value.safeParse("1 KB").error!.issues[0]!.message, /"1 KB" is out of range; 1514 to/);
  assert.match(queue.value.safeParse("64 Kb").error!.issues[0]!.message, /not a whole number of packets or bytes/);
  assert.equal(queue.value.parse(queue.text!("64000bytes")), "64000bytes");
  assert.equal(queueUp.value.parse("same"), "same");
});

test("a queue length's field in a load's record is named after the length's unit; a length in bytes is also set in packets", () => {
  assert.deepEqual(queue.fields!(50), { queuePackets: 50 });
  assert.deepEqual(queue.fields!("64000bytes"), { queueBytes: 64_000 });
  assert.deepEqual(queueUp.fields!("same"), { queueUpPackets: "same" });
  assert.deepEqual(queue.sets("64000bytes", {}), { link: { queuePackets: 42, queueBytes: 64_000 } });
  assert.deepEqual(queueUp.sets(256, {}), { link: { upQueue: { queuePackets: 256 } } });
});

const all = { down: 10, up: 1, rtt: 100, loss: 0, jitter: 0, burst: 1, aqm: "none", lossIn: "both", queueUp: "same" };
/** @param limits what the kernel reports @param mostMs the slowest packet's time, in each direction */
const proof = (values: object, limits: { down: object; up: object }, mostMs = { down: 60, up: 60 }) => {
  const ways = ["down", "up"] as const;
  const evidence = {
    link: Object.fromEntries(ways.map((way) => [way, { atStart: limits[way], atEnd: limits[way] }])),
    packets: { path: Object.fromEntries(ways.map((way) => [way, { transit: { mostMs: mostMs[way] } }])) },
    processor: {},
  } as unknown as Evidence;
  const full = { ...all, ...values } as unknown as ConditionValues;
  const registries = {} as Registries;
  return [queue, queueUp].map((one) => {
    const verdict = one.proves(full[one.name], full, evidence, registries);
    return typeof verdict === "object" ? Object.values(verdict).flat().join("; ") : verdict;
  });
};
const packets = (queuePackets: number) => ({ queuePackets });
const bytes = { queuePackets: 42, queueBytes: 64_000 };

test("a direction's queue length is contradicted if the kernel reports another length or a packet took longer than a full queue allows", () => {
  assert.deepEqual(proof({ queue: 50 }, { down: packets(50), up: packets(50) }), ["confirmed", "confirmed"]);
  const own = { queue: 50, queueUp: "64000bytes" };
  assert.deepEqual(proof(own, { down: packets(50), up: bytes }), ["confirmed", "confirmed"]);
  assert.match(proof(own, { down: packets(50), up: packets(42) })[1]!, /up queueBytes none instead of 64000/);
  assert.match(proof({ queue: 42 }, { down: packets(42), up: bytes })[0]!, /up queueBytes 64000 instead of none/);
  assert.match(proof(own, { down: packets(60), up: bytes })[0]!, /down queuePackets 60 instead of 50/);
  // At 1 Mb/s, 64 KB take 512 ms, and 50 packets take 606 ms.
  assert.match(
    proof(own, { down: packets(50), up: bytes }, { down: 60, up: 620 })[1]!,
    /behind a full queue it takes 585/,
  );
});

test("with dualpi2 only the queue length 10000packets is allowed, and the length is not observable", () => {
  const refused = (value: string | number) =>
    queue.refuses!(value, { ...all, aqm: "dualpi2" } as never, {} as Registries);
  assert.match(refused(50)!, /dualpi2 has its own limit, which tc cannot set yet; only 10000packets is allowed/);
  assert.equal(refused(10_000), null);
  const shown = proof({ queue: 10_000, aqm: "dualpi2" }, { down: packets(0), up: packets(0) });
  assert.match(shown[0]!, /tc does not print the limit of dualpi2/);
});

test("a queue length in bytes is refused with fq_codel", () => {
  const refused = (value: string) => queue.refuses!(value, { ...all, aqm: "fq_codel" } as never, {} as Registries);
  assert.match(refused("64000bytes")!, /with fq_codel the length is in packets/);
  assert.equal(queueUp.refuses!("same", { ...all, aqm: "fq_codel" } as never, {} as Registries), null);
  assert.equal(queue.refuses!(50, { ...all, aqm: "fq_codel" } as never, {} as Registries), null);
});
