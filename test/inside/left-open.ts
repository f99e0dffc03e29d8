/**
 * Runs on the harness's host: loads page A over a link that loses 20% in each direction. After each load, the script waits a second and a
 * round trip, then prints how many client connections the server still has.
 */
import { mkdtempSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { readRegistries, usedBy } from "../../axes/registries.ts";
import { clients } from "../../clients/clients.ts";
import { LoadMaker } from "../../harness/lane/make-load.ts";
import { conditionOf } from "../../harness/plan/conditions.ts";
import { ClientTcp } from "../../hosts/client-tcp.ts";
import { ask } from "../../hosts/control.ts";
import { serverRoutes } from "../../hosts/routes.ts";
import { readTopology } from "../../hosts/topology.ts";
import { openObserver } from "../../observe/observer.ts";
import { temporary } from "../faults/in-lab.ts";

const known = readRegistries();
const link = { rate: "20/2", rtt: 20, loss: 20, queue: 50 };
const usual = { page: "A", servers: 1, protocol: "h1c", initcwnd: 10, server: "nginx", congestion: "cubic" };
const condition = conditionOf({ client: "replay", ...link, ...usual }, known);
const registries = usedBy([condition], known);
const topology = readTopology();
const clientTcp = await ClientTcp.open(topology);
const observer = await openObserver(topology, "harness", []);
const { hosts, protocols } = registries;
const scratch = mkdtempSync(`${temporary}/left-open-`);
const client = await clients.replay!.open({ hosts, protocols, authorities: [], scratch });
const maker = await LoadMaker.open({ topology, clientTcp, registries, observer }, { for: () => client }, 0);
for (let block = 1; block <= 8; block++) {
  const { load } = await maker.make({ block, attempt: 1, condition }, 60_000);
  // A load without a connection would prove nothing.
  if (!load.evidence?.connections.length)
    throw new Error(`no load was made: ${load.ok ? "no connection" : load.reason}`);
  await sleep(1000 + condition.settings.link.rttMs);
  console.log((await ask("server1", serverRoutes.clientPorts)).length);
}
process.exit(0);
