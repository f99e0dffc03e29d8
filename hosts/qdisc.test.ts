import assert from "node:assert/strict";
import { test } from "node:test";
import { Qdisc } from "./qdisc.ts";

const printed = "qdisc fq 8002: root refcnt 2 limit 10000p flow_limit 50p buckets 1024 orphan_mask 1023 \n";

test("a queueing discipline is set once, read as tc prints it, and removed for a condition without it", async () => {
  const commands: string[] = [];
  const qdisc = new Qdisc("eth0", async (command) => {
    commands.push(command.join(" "));
    return printed;
  });
  await qdisc.set(undefined);
  assert.equal(await qdisc.read(), undefined);
  for (let load = 0; load < 2; load++) await qdisc.set("fq flow_limit 50");
  assert.equal(await qdisc.read(), "fq limit 10000p flow_limit 50p buckets 1024 orphan_mask 1023");
  await qdisc.set(undefined);
  assert.deepEqual(commands, [
    "tc qdisc replace dev eth0 root fq flow_limit 50",
    "tc qdisc show dev eth0 root",
    "tc qdisc del dev eth0 root",
  ]);
});

test("if the kernel lacks a queueing discipline, the error names it, and the next load tries again", async () => {
  const qdisc = new Qdisc("eth0", async () => {
    throw new Error("Error: Specified qdisc kind is unknown.");
  });
  for (let load = 0; load < 2; load++)
    await assert.rejects(qdisc.set("dualpi2"), /"dualpi2" cannot be set: .*kind is unknown/);
});
