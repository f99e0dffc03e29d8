/** Runs on the harness's host: applies the faults named by its arguments, one after the other; prints what detected each fault, as Caught. */
import { mkdtempSync } from "node:fs";
import { readRegistries, usedBy } from "../../axes/registries.ts";
import { clientOf } from "../../clients/chromium/client.ts";
import { startBrowser } from "../../clients/chromium/start-chromium.ts";
import type { OpenClient } from "../../clients/client.ts";
import { clients } from "../../clients/clients.ts";
import { judgeLine } from "../../harness/judge/load/load.ts";
import { calibrate } from "../../harness/lane/calibration.ts";
import { configureHosts } from "../../harness/lane/configure-hosts.ts";
import { LoadMaker } from "../../harness/lane/make-load.ts";
import { conditionOf } from "../../harness/plan/conditions.ts";
import { ClientTcp } from "../../hosts/client-tcp.ts";
import { ask, stateDirectory } from "../../hosts/control.ts";
import { shaperRoutes } from "../../hosts/routes.ts";
import { readTopology } from "../../hosts/topology.ts";
import { openObserver } from "../../observe/observer.ts";
import type { Link } from "../../schema/link.ts";
import type { Condition } from "../../schema/plan.ts";
import { quicPorts } from "../../schema/protocol.ts";
import type { Registries } from "../../schema/registries.ts";
import type { Settings } from "../../schema/settings.ts";
import type { Tls } from "../../schema/tls.ts";
import { copyCertificate, ensureCertificates, readAuthorities } from "../../servers/certificates.ts";
import { faultyBrowser } from "../faults/faulty-browser.ts";
import { type InLab, reconfigure, temporary } from "../faults/in-lab.ts";
import { labFaults } from "../faults/registry.ts";

export interface Caught {
  by: "evidence" | "calibration" | "nothing";
  message: string;
  /** The axes that this load is inconclusive about. A run would also look at other loads of the condition. */
  inconclusive: string[];
}

const usual = {
  page: "A",
  servers: 1,
  link: "20x2-20ms-0%",
  protocol: "h2",
  initcwnd: 3,
  server: "nginx",
  congestion: "cubic",
};
const known = readRegistries();
const topology = readTopology();
const clientTcp = await ClientTcp.open(topology);
const observer = await openObserver(topology, "harness", quicPorts(known.protocols));
for (const what of process.argv.slice(2)) {
  const fault = labFaults.find((one) => one.what === what)!.inLab;
  const condition = conditionOf({ ...usual, ...fault.condition }, known);
  const registries = usedBy([condition], known);
  await configureHosts(condition.settings, registries.hosts, clientTcp);
  const look = fault.caughtBy === "calibration" ? byCalibration : byEvidence;
  console.log(JSON.stringify(await look(fault, condition, registries)));
}

async function byCalibration(fault: InLab, { settings }: Condition): Promise<Caught> {
  const set = async (link: Link) => {
    const reading = await ask("shaper", shaperRoutes.setLink, link);
    await fault.apply(settings);
    return reading;
  };
  for await (const { deviations } of calibrate(settings.link, observer, undefined, set))
    return { by: deviations.length ? "calibration" : "nothing", message: deviations.join("; "), inconclusive: [] };
  throw new Error("nothing was measured");
}

async function byEvidence(fault: InLab, condition: Condition, registries: Registries): Promise<Caught> {
  const { hosts, protocols } = registries;
  const { server, client } = condition.settings;
  const options = {
    hosts: fault.sharesHost ? hosts.map((host) => ({ ...host, address: hosts[0]!.address })) : hosts,
    protocols: fault.withoutQuic ? {} : protocols,
    authorities: fault.sharesHost
      ? await certificateForAll(
          hosts.map(({ name }) => name),
          server.tls,
        )
      : readAuthorities(stateDirectory),
    scratch: mkdtempSync(`${temporary}/fault-`),
  };
  const software = clients[client.software]!;
  const open = software.replays
    ? software.open(options)
    : clientOf(faultyBrowser(await startBrowser(options), fault), options);
  const faulty = withFault(await open, fault, condition.settings);
  const maker = await LoadMaker.open({ topology, clientTcp, registries, observer }, { for: () => faulty }, 0);
  const load = async () => (await maker.make({ block: 1, attempt: 1, condition }, 30_000)).load;
  if (fault.sharesContext) await load();
  const made = await load();
  await faulty.close();
  if (!made.ok) return { by: "evidence", message: made.reason, inconclusive: [] };
  return { by: "nothing", message: "", inconclusive: Object.keys(judgeLine(made, condition, registries).inconclusive) };
}

/** Returns a client that applies the fault before each load, after all hosts are configured. */
function withFault(
  client: OpenClient,
  { apply, otherVisit = (visit) => visit }: InLab,
  configured: Settings,
): OpenClient {
  return {
    ...client,
    load: (visit, steps) =>
      client.load(otherVisit(visit), {
        ...steps,
        async begin() {
          await apply(configured);
          await steps.begin?.();
        },
      }),
  };
}

/** Gives the first host a certificate for all names, issued by a separate CA. @returns that CA's certificate */
async function certificateForAll(names: string[], { certificates }: Tls): Promise<string[]> {
  const state = mkdtempSync(`${temporary}/fault-`);
  await ensureCertificates(state, names.slice(0, 1), () => names);
  const { certificate, key } = copyCertificate(state, names[0]!, `${temporary}/server1`, certificates);
  await reconfigure(
    [/ssl_certificate \S+;/, `ssl_certificate ${certificate};`],
    [/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`],
  );
  return readAuthorities(state);
}
