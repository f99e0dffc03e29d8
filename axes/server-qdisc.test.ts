import assert from "node:assert/strict";
import { test } from "node:test";
import { registries } from "../harness/tables/synthetic-loads.fixture.ts";
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import { axis } from "./server-qdisc.axis.ts";

const all = {} as ConditionValues;
const proof = (value: ConditionValues["serverQdisc"], serverQdiscs: Evidence["serverQdiscs"]) =>
  JSON.stringify(axis.proves(value, all, { serverQdiscs } as Evidence, registries));
const fq = "fq limit 10000p flow_limit 100p buckets 1024 orphan_mask 1023 quantum 3028b";
const others = "fq limit 10000p flow_limit 50p buckets 1024";

test("`fq` is confirmed if every server's queueing discipline is fq with the default parameters", () => {
  assert.equal(proof("fq", { server1: fq, server2: fq }), '"confirmed"');
  assert.match(
    proof("fq", { server1: fq, server2: others }),
    /server2: its queueing discipline is fq .*flow_limit 50p/,
  );
  assert.match(proof("fq", undefined), /no server reports its queueing discipline/);
  assert.match(proof("fq_codel", { server1: fq }), /contradicts/);
});

test("`noqueue` is contradicted by fq with its default parameters, but not by fq with parameters that another axis may have set", () => {
  assert.equal(proof("noqueue", undefined), '"confirmed"');
  assert.equal(proof("noqueue", { server1: others }), '"confirmed"');
  assert.match(proof("noqueue", { server1: fq }), /server1: its queueing discipline is fq .*; noqueue is configured/);
});
