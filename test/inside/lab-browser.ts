/** For scripts on the harness's host: configures the lab for a condition, and starts browsers as a lane does. */
import { mkdtempSync } from "node:fs";
import type { Browser } from "puppeteer-core";
import { readRegistries } from "../../axes/registries.ts";
import { startBrowser } from "../../clients/chromium/start-chromium.ts";
import type { ClientOptions, OpenClient } from "../../clients/client.ts";
import { clients } from "../../clients/clients.ts";
import { configureHosts } from "../../harness/lane/configure-hosts.ts";
import { conditionOf } from "../../harness/plan/conditions.ts";
import { ClientTcp } from "../../hosts/client-tcp.ts";
import { stateDirectory } from "../../hosts/control.ts";
import { environment } from "../../hosts/environment.ts";
import { readTopology } from "../../hosts/topology.ts";
import { readAuthorities } from "../../servers/certificates.ts";

const registries = readRegistries();
export const topology = readTopology();
export const { hosts } = registries;

export async function bringUp(): Promise<void> {
  const asked = { page: "A", servers: hosts.length, link: "20x2-20ms-0%", protocol: "h1", initcwnd: 10 };
  const { settings } = conditionOf({ ...asked, server: "nginx", congestion: "cubic" }, registries);
  await configureHosts(settings, hosts, await ClientTcp.open(topology));
}

const options = (): ClientOptions => ({
  hosts,
  protocols: registries.protocols,
  authorities: readAuthorities(stateDirectory),
  scratch: mkdtempSync(`${environment.temporary}/browser-`),
});

export async function openBrowser(): Promise<{ browser: Browser; scratch: string }> {
  const given = options();
  return { browser: await startBrowser(given), scratch: given.scratch };
}

/** @param other options that differ from a lane's options */
export const openClient = (name: string, other: Partial<ClientOptions> = {}): Promise<OpenClient> =>
  clients[name]!.open({ ...options(), ...other });
