/** Run on the harness's host: springs the trap named by the argument; prints what the lab says of it, as Caught. */
import { mkdtempSync } from "node:fs";
import { browserProgram, startBrowser } from "../clients/chromium/browser.ts";
import { bringTo } from "../harness/lane/bring-to.ts";
import { calibrate } from "../harness/lane/calibration.ts";
import { LoadMaker } from "../harness/lane/make-load.ts";
import { conditionsOf } from "../harness/plan/experiment.ts";
import { readRegistries } from "../harness/plan/registries.ts";
import { callHost, stateDirectory } from "../hosts/control.ts";
import { prepareClient } from "../hosts/prepare.ts";
import { readTopology } from "../hosts/topology.ts";
import { openObserver } from "../observe/observer.ts";
import { caFingerprint, ensureCertificates, lendCertificate } from "../servers/certificates.ts";
import { reconfigure, temporary, trapped, traps } from "./traps.ts";

export interface Caught {
  by: "evidence" | "calibration" | "nothing";
  message: string;
}

const trap = traps[process.argv[2] ?? ""]!;
const topology = readTopology();
const axes = {
  page: ["A"],
  servers: [1],
  channel: ["20x2-20ms-0%"],
  protocol: ["h2"],
  initcwnd: [3],
  server: ["nginx"],
  congestion: ["cubic" as const],
};
const wanted = Object.fromEntries(Object.entries(trap.condition ?? {}).map(([axis, value]) => [axis, [value]]));
const condition = conditionsOf({ axes: { ...axes, ...wanted } })[0]!;
const registries = readRegistries({ page: [condition.page], protocol: [condition.protocol], channel: [] });

await prepareClient(topology);
const observer = await openObserver(topology, "harness");
await bringTo(condition, registries.hosts);
console.log(JSON.stringify(trap.caughtBy === "calibration" ? await byCalibration() : await byEvidence()));

async function byCalibration(): Promise<Caught> {
  const set = async () => {
    await callHost("shaper", "PUT", "/link", condition.channel);
    await trap.spring();
  };
  for await (const { deviations } of calibrate(condition.channel, observer, set))
    return { by: deviations.length ? "calibration" : "nothing", message: deviations.join("; ") };
  throw new Error("nothing was measured");
}

/** The first host gets a certificate for all names, of a CA of its own. @returns that CA's fingerprint */
async function certificateForAll(names: string[]): Promise<string> {
  const state = mkdtempSync(`${temporary}/trap-`);
  await ensureCertificates(state, names.slice(0, 1), () => names);
  const { certificate, key } = lendCertificate(state, names[0]!, `${temporary}/server1`);
  await reconfigure(
    [/ssl_certificate \S+;/, `ssl_certificate ${certificate};`],
    [/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`],
  );
  return caFingerprint(state);
}

async function byEvidence(): Promise<Caught> {
  const hosts = registries.hosts.map(
    ({ name, address }) => [name, trap.sharesHost ? registries.hosts[0]!.address : address] as const,
  );
  const browser = await startBrowser({
    program: browserProgram,
    hosts: new Map(hosts),
    caFingerprint: trap.sharesHost
      ? await certificateForAll(hosts.map(([name]) => name))
      : caFingerprint(stateDirectory),
    scratch: mkdtempSync(`${temporary}/trap-`),
  });
  const maker = await LoadMaker.open(trapped(browser, trap), registries, topology, observer);
  const load = async () => maker.make({ block: 1, attempt: 1, condition }, 30_000);
  if (trap.sharesContext) await load();
  const { ok, ...made } = await load();
  await browser.close();
  return ok ? { by: "nothing", message: "" } : { by: "evidence", message: "reason" in made ? made.reason : "" };
}
