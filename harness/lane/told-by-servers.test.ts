import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServerObservation } from "../../schema/observation.ts";
import { toldByServers } from "./told-by-servers.ts";

const hosts = ["server1", "server2"].map((service, i) => ({ service, name: `s${i}.lab`, address: `198.18.1.1${i}` }));
const silent = { sysctls: {} } as ServerObservation;

test("evidence has the values that servers report, by host, and leaves out fields that no server reports", () => {
  assert.deepEqual(toldByServers(hosts, [silent, silent]), {});
  const sysctls = { "net.ipv4.tcp_recovery": "1" };
  const told = { ...silent, sysctls, qdisc: "fq", quicCongestion: ["reno"], quicInitialBytes: [12_000] };
  assert.deepEqual(toldByServers(hosts, [told, { ...silent, quicCongestion: [], quicInitialBytes: [] }]), {
    serverSysctls: { server1: sysctls, server2: {} },
    serverQdiscs: { server1: "fq" },
    quicCongestion: { server1: ["reno"] },
    quicInitialBytes: { server1: [12_000] },
  });
});
