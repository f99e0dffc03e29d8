import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import { provesServerQdisc, provesServerSysctl } from "./server-kernel.ts";

const name = "net.ipv4.tcp_rmem";
const proof = (serverSysctls: Evidence["serverSysctls"], asked = "1 2 3") =>
  JSON.stringify(provesServerSysctl({ serverSysctls } as Evidence, name, asked));

test("a kernel parameter is confirmed if all servers have the configured value, and contradicted if one server has another value", () => {
  assert.equal(proof({ server1: { [name]: "1 2 3" }, server2: { [name]: "1 2 3" } }), '"confirmed"');
  assert.equal(proof({ server1: { [name]: "1 2 3" } }, "1\t2\t3"), '"confirmed"');
  assert.match(
    proof({ server1: { [name]: "1 2 3" }, server2: { [name]: "4 5 6" } }),
    /contradicts.*server2: net\.ipv4\.tcp_rmem is 4 5 6 instead of 1 2 3/,
  );
});

test("a kernel parameter is contradicted if one server, or every server, does not report it", () => {
  assert.match(proof({ server1: {} }), /server1: net\.ipv4\.tcp_rmem is not set instead of 1 2 3/);
  assert.match(proof(undefined), /contradicts.*no server reports its kernel's/);
});

test("a queueing discipline is confirmed if tc prints the configured discipline on all servers", () => {
  const proof = (serverQdiscs: Evidence["serverQdiscs"]) =>
    JSON.stringify(provesServerQdisc({ serverQdiscs } as Evidence, /^fq .*flow_limit 50p/));
  const right = "fq limit 10000p flow_limit 50p buckets 1024";
  assert.equal(proof({ server1: right, server2: right }), '"confirmed"');
  assert.match(
    proof({ server1: right, server2: "fq limit 10000p flow_limit 100p" }),
    /contradicts.*server2: its queueing discipline is fq limit 10000p flow_limit 100p, not/,
  );
  assert.match(proof(undefined), /contradicts.*no server reports its queueing discipline/);
});
