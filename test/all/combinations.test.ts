/** Loads combinations of pages, protocols, servers and numbers of hosts, and each kind of link. The virtual clock makes this fast. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { LoadRecord } from "../../schema/records.ts";
import { LabCopy } from "../lab.ts";

let lab: LabCopy;
before(async () => {
  lab = await LabCopy.make({ virtualClock: true });
});
after(() => lab?.remove());

/** Makes one load of each condition. The run must succeed; a link that is not as configured would end the run. */
async function loadsOf(...asked: string[]): Promise<LoadRecord[]> {
  const { code, stderr, loads } = await lab.virtualRun(...asked);
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    loads.flatMap((load) => (load.ok ? [] : [`${load.condition}: ${load.reason}`])),
    [],
  );
  return loads;
}

test("pages load over h1 and h2 from one, two and four hosts with nginx or node", { timeout: 900_000 }, async () => {
  const loads = await loadsOf(
    ...["--only", "page=A,B,C", "--only", "servers=1,2,4", "--only", "link=20x2-20ms-0%", "--only", "initcwnd=10"],
    ...["--with", "server=nginx,node"],
  );
  assert.equal(new Set(loads.map(({ condition }) => condition)).size, 36);
  assert.equal(loads.length, 36);
  for (const { protocol, servers, evidence } of loads as (LoadRecord & Record<string, unknown>)[]) {
    const hosts = evidence?.connections.map(({ host }) => host) ?? [];
    assert.equal(new Set(hosts).size, servers);
    if (protocol === "h2") assert.equal(hosts.length, servers);
  }
});

/** Each link is measured before its load, and a wrong link ends the run. */
const kindsOfLinks = `
title: Kinds of links
loads: 1
axes: {page: [A], servers: [1], rate: [10/1], rtt: [100 ms], queue: [50 packets], protocol: [h2], initcwnd: [10]}
together:
  - {loss: 0 %, jitter: 10 ms, reorder: off, burst: 1 packet, aqm: none}
  - {loss: 0 %, jitter: 10 ms, reorder: on, burst: 1 packet, aqm: none}
  - {loss: 1 %, jitter: 0 ms, reorder: off, burst: 4 packets, aqm: none}
  - {loss: 0 %, jitter: 0 ms, reorder: off, burst: 1 packet, aqm: fq_codel}
baseline: {aqm: none}
comparisons: {1: {title: fq_codel, option: {aqm: fq_codel}}}
`;

test(
  "links with jitter, reordering, bursts of losses or fq_codel are as configured, and their loads succeed",
  { timeout: 600_000 },
  async () => {
    lab.put("experiments/kinds-of-links.yml", kindsOfLinks);
    assert.equal((await loadsOf("kinds-of-links")).length, 4);
  },
);

test(
  "all loads over links with a varying rate succeed, also over links with outages",
  { timeout: 900_000 },
  async () => {
    const loads = await loadsOf("cellular", "--loads", "3", "--only", "page=C");
    assert.equal(loads.length, 45);
  },
);

/** Each kind of background traffic that a page can have. With another page as background, there is also a link that loses packets. */
const kindsOfCompany = `
title: Kinds of background
loads: 1
axes: {page: [A], servers: [1], rate: [10/2], rtt: [60 ms], queue: [100 packets], protocol: [h1, h3], server: [caddy], initcwnd: [10]}
together:
  - {loss: 0 %, background: bulk-both}
  - {loss: 0 %, background: 4-bulk-down-bbr}
  - {loss: 0 %, background: video-down}
  - {loss: 0 %, background: page}
  - {loss: 1 %, background: page-iw3}
baseline: {protocol: h1}
comparisons: {1: {title: HTTP/3, option: {protocol: h3}}}
`;

test("all loads with background traffic of each kind succeed", { timeout: 900_000 }, async () => {
  lab.put("experiments/kinds-of-company.yml", kindsOfCompany);
  assert.equal((await loadsOf("kinds-of-company")).length, 10);
});
