/** Runs on the harness's host: makes loads with the lab and with browsertime, and prints them. Only the lab's time includes configuring the hosts. */
import { mkdtempSync, readFileSync } from "node:fs";
import { clients } from "../clients/clients.ts";
import { configureHosts } from "../harness/lane/configure-hosts.ts";
import { LoadMaker } from "../harness/lane/make-load.ts";
import { ClientTcp } from "../hosts/client-tcp.ts";
import { stateDirectory } from "../hosts/control.ts";
import { environment } from "../hosts/environment.ts";
import { readTopology } from "../hosts/topology.ts";
import { openObserver } from "../observe/observer.ts";
import { chunkSchema, type LoadChunk } from "../schema/lane-messages.ts";
import type { PlannedLoad } from "../schema/plan.ts";
import { origin, quicPorts } from "../schema/protocol.ts";
import { entryOf } from "../schema/registries.ts";
import { readAuthorities } from "../servers/certificates.ts";
import { pagePath } from "../sites/paths.ts";
import { loadBy, ways } from "./browsertime.ts";
import type { PeerLoad } from "./peer.ts";

async function* inTurn({ loads, registries, timeoutMs }: LoadChunk): AsyncGenerator<PeerLoad> {
  const { hosts, protocols } = registries;
  const topology = readTopology();
  const clientTcp = await ClientTcp.open(topology);
  const observer = await openObserver(topology, "harness", quicPorts(protocols));
  const scratch = mkdtempSync(`${environment.temporary}/peer-`);
  const client = await clients.chromium!.open({
    hosts,
    protocols,
    authorities: readAuthorities(stateDirectory),
    scratch,
  });
  const maker = await LoadMaker.open({ topology, clientTcp, registries, observer }, { for: () => client }, 0);
  const byLab = async (load: PlannedLoad) => {
    const { load: made } = await maker.make(load, timeoutMs);
    if (!made.ok) throw new Error(made.reason);
    return made.pageLoadMs;
  };
  const byBrowsertime = (options: string[], { condition: { settings } }: PlannedLoad) => {
    const { name, hosts: among, protocol } = settings.page;
    return loadBy(
      options,
      hosts[0]!,
      origin(hosts[0]!.name, entryOf(protocols, "protocols", protocol)) + pagePath({ name }, among, protocol),
    );
  };
  await maker.make(loads[0]!, timeoutMs); // a warm-up, because a browser's first load is slower than later loads
  for (const load of loads) {
    const page = load.condition.settings.page.name;
    yield await timed(page, "the lab", () => byLab(load));
    for (const [by, options] of Object.entries(ways)) {
      await configureHosts(load.condition.settings, hosts, clientTcp);
      yield await timed(page, by, () => byBrowsertime(options, load));
    }
  }
  await client.close();
}

async function timed(page: string, by: string, load: () => Promise<number>): Promise<PeerLoad> {
  const start = performance.now();
  const pageLoadMs = await load().catch((error: Error) => `${by}: page ${page}: ${error.message}`);
  const wallMs = performance.now() - start;
  return typeof pageLoadMs === "number" ? { page, by, wallMs, pageLoadMs } : { page, by, wallMs, problem: pageLoadMs };
}

const chunk = chunkSchema.parse(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")));
if (chunk.kind === "loads") for await (const load of inTurn(chunk)) console.log(JSON.stringify(load));
process.exit(0); // control sockets would keep the process alive
