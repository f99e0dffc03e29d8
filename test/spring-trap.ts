/** Run on the harness's host: springs the trap named by the argument; prints what the lab says of it, as Caught. */
import { mkdtempSync } from "node:fs";
import { readRegistries, usedBy } from "../axes/registries.ts";
import { startBrowser } from "../clients/chromium/browser.ts";
import { clientOf } from "../clients/chromium/client.ts";
import { judgeLine } from "../harness/judge/load.ts";
import { bringAbout } from "../harness/lane/bring-about.ts";
import { calibrate } from "../harness/lane/calibration.ts";
import { LoadMaker } from "../harness/lane/make-load.ts";
import { conditionOf } from "../harness/plan/conditions.ts";
import { ClientTcp } from "../hosts/client-tcp.ts";
import { ask, stateDirectory } from "../hosts/control.ts";
import { shaperRoutes } from "../hosts/routes.ts";
import { readTopology } from "../hosts/topology.ts";
import { openObserver } from "../observe/observer.ts";
import { quicPorts } from "../schema/protocol.ts";
import { ensureCertificates, lendCertificate, readAuthorities } from "../servers/certificates.ts";
import { traps } from "./traps/registry.ts";
import { reconfigure, temporary } from "./traps/trap.ts";
import { trapped } from "./traps/trapped.ts";

export interface Caught {
  by: "evidence" | "calibration" | "nothing";
  message: string;
  /** The axes that this load could not tell of: a run would judge its condition's other loads. */
  undecided: string[];
}

const trap = traps[process.argv[2] ?? ""]!;
const topology = readTopology();
const asked = {
  page: "A",
  servers: 1,
  link: "20x2-20ms-0%",
  protocol: "h2",
  initcwnd: 3,
  server: "nginx",
  congestion: "cubic",
};
const known = readRegistries();
const condition = conditionOf({ ...asked, ...trap.condition }, known);
const registries = usedBy([condition], known);
const { hosts } = registries;

const clientTcp = await ClientTcp.open(topology);
const observer = await openObserver(topology, "harness", quicPorts(known.protocols));
await bringAbout(condition.settings, hosts, clientTcp);
console.log(JSON.stringify(trap.caughtBy === "calibration" ? await byCalibration() : await byEvidence()));

async function byCalibration(): Promise<Caught> {
  const { link } = condition.settings;
  const set = async () => {
    await ask("shaper", shaperRoutes.setLink, link);
    await trap.spring();
  };
  for await (const { deviations } of calibrate(link, observer, undefined, set))
    return { by: deviations.length ? "calibration" : "nothing", message: deviations.join("; "), undecided: [] };
  throw new Error("nothing was measured");
}

/** The first host gets a certificate for all names, of a CA of its own. @returns that CA's certificate */
async function certificateForAll(names: string[]): Promise<string[]> {
  const state = mkdtempSync(`${temporary}/trap-`);
  await ensureCertificates(state, names.slice(0, 1), () => names);
  const { certificate, key } = lendCertificate(
    state,
    names[0]!,
    `${temporary}/server1`,
    condition.settings.server.tls.certificates,
  );
  await reconfigure(
    [/ssl_certificate \S+;/, `ssl_certificate ${certificate};`],
    [/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`],
  );
  return readAuthorities(state);
}

async function byEvidence(): Promise<Caught> {
  const browser = await startBrowser({
    hosts: trap.sharesHost ? hosts.map((host) => ({ ...host, address: hosts[0]!.address })) : hosts,
    protocols: trap.withoutQuic ? {} : registries.protocols,
    authorities: trap.sharesHost
      ? await certificateForAll(hosts.map(({ name }) => name))
      : readAuthorities(stateDirectory),
    scratch: mkdtempSync(`${temporary}/trap-`),
  });
  const client = await clientOf(trapped(browser, trap));
  const lab = { topology, clientTcp, registries, observer };
  const maker = await LoadMaker.open(lab, new Map([[condition.settings.client.software, client]]), 0);
  const load = async () => (await maker.make({ block: 1, attempt: 1, condition }, 30_000)).load;
  if (trap.sharesContext) await load();
  const made = await load();
  await browser.close();
  if (!made.ok) return { by: "evidence", message: made.reason, undecided: [] };
  return { by: "nothing", message: "", undecided: Object.keys(judgeLine(made, condition, registries).undecided) };
}
