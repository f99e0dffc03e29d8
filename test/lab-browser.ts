/** For scripts on the harness's host: the lab brought to a condition, and the browser as a lane starts it. */
import { mkdtempSync } from "node:fs";
import type { Browser } from "puppeteer-core";
import { browserProgram, startBrowser } from "../clients/chromium/browser.ts";
import { callHost, stateDirectory } from "../hosts/control.ts";
import { prepareClient } from "../hosts/prepare.ts";
import { readTopology, webHosts } from "../hosts/topology.ts";
import { caFingerprint } from "../servers/certificates.ts";
import { readChannels } from "../shaper/channels.ts";

export const topology = readTopology();
export const hosts = webHosts(topology);

export async function bringUp(server = "nginx", channel = "20x2-20ms-0%"): Promise<void> {
  await prepareClient(topology);
  await callHost("shaper", "PUT", "/link", readChannels().get(channel));
  await Promise.all(
    hosts.map(({ service }) => callHost(service, "PUT", "/server", { server, initcwnd: 10, congestion: "cubic" })),
  );
}

export async function openBrowser(): Promise<{ browser: Browser; scratch: string }> {
  const scratch = mkdtempSync(`${process.env.LAB_TMPDIR}/browser-`);
  const addresses = new Map(hosts.map(({ name, address }) => [name, address]));
  const browser = await startBrowser({
    program: browserProgram,
    hosts: addresses,
    caFingerprint: caFingerprint(stateDirectory),
    scratch,
  });
  return { browser, scratch };
}
