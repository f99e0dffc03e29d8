/** Pages, protocols, servers, numbers of hosts, and kinds of links, in every combination: on the virtual clock, for that is quick. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { after, before, test } from "node:test";
import { loadsIn } from "../harness/record/records.ts";
import { buildKernel, kernelPath } from "../kernel/kernel.ts";
import type { LoadRecord } from "../schema/records.ts";
import { nodeCommand } from "../substrate/substrate.ts";
import { copyOfCheckout } from "./checkout-copy.ts";

/** A lab of its own: another test may be making a run in this one. */
let copy: string;
before(async () => {
  await buildKernel();
  copy = copyOfCheckout();
  symlinkSync(resolve("node_modules"), `${copy}/node_modules`);
  const folder = dirname(kernelPath()!);
  mkdirSync(`${copy}/.lab/kernel`, { recursive: true });
  rmSync(`${copy}/.lab/kernel/${folder.split("/").at(-1)}`, { recursive: true, force: true });
  symlinkSync(resolve(folder), `${copy}/.lab/kernel/${folder.split("/").at(-1)}`);
});
after(() => copy && rmSync(copy, { recursive: true }));

/** One load of each condition, in a run that ends well; a link that is not what was asked for would end it. */
async function loadsOf(...asked: string[]): Promise<LoadRecord[]> {
  const words = ["run", "--clock", "virtual", "--lanes", "1", "--loads", "1", "--traces", "none", ...asked];
  const [program = "", ...args] = nodeCommand("harness/cli/main.ts", ...words);
  const stderr = await new Promise<string>((done) => {
    execFile(program, args, { cwd: copy }, (error, _, said) => {
      assert.equal(error, null, said);
      done(said);
    });
  });
  const loads = loadsIn(`${copy}/${/^(results\/\S+):/m.exec(stderr)?.[1]}`);
  assert.deepEqual(
    loads.flatMap((load) => (load.ok ? [] : [`${load.condition}: ${load.reason}`])),
    [],
  );
  return loads;
}

test("every page over every protocol from every server and number of hosts", { timeout: 900_000 }, async () => {
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

/** What the axes of the link make of one: each is measured before its load, and a wrong one ends the run. */
const kindsOfLinks = `
title: Kinds of links
loads: 1
axes: {page: [A], servers: [1], rate: [10/1], rtt: [100 ms], queue: [50 packets], protocol: [h2], initcwnd: [10]}
together:
  - {loss: 0 %, jitter: 10 ms, reorder: off, burst: 1 packet, aqm: none}
  - {loss: 0 %, jitter: 10 ms, reorder: on, burst: 1 packet, aqm: none}
  - {loss: 1 %, jitter: 0 ms, reorder: off, burst: 4 packets, aqm: none}
  - {loss: 0 %, jitter: 0 ms, reorder: off, burst: 1 packet, aqm: fq_codel}
base: {aqm: none}
cases: {1: {title: fq_codel, option: {aqm: fq_codel}}}
`;

test(
  "links with jitter, reordering, bursts of losses and fq_codel are what they say",
  { timeout: 600_000 },
  async () => {
    writeFileSync(`${copy}/experiments/kinds-of-links.yml`, kindsOfLinks);
    assert.equal((await loadsOf("kinds-of-links")).length, 4);
  },
);
