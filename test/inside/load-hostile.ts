/**
 * Runs on the harness's host: loads the hostile page twice as a lane does, each time in a new browser context, then twice in
 * one context. The last two loads show what the page could do without isolation. Prints Hostile.
 */

import { rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import type { Browser, Page } from "puppeteer-core";
import { coldLoad } from "../../clients/chromium/cold-load.ts";
import { run } from "../../hosts/command.ts";
import { unprivileged, userIds } from "../../hosts/rights.ts";
import { attachments } from "../../hosts/topology.ts";
import { readProtocols } from "../../servers/protocols.ts";
import { type Seen, watch } from "./edge.ts";
import { bringUp, hosts, openBrowser, topology } from "./lab-browser.ts";

export interface Report {
  /** What an earlier load has left, by kind of storage. */
  found: Record<string, unknown>;
  left: Record<string, unknown>;
  tried: Record<string, unknown>;
}

export interface Hostile {
  cold: Report[];
  seen: Seen;
  /** Connections to ports of the harness's host. */
  knocks: number;
  filesOutside: string[];
  sameContext: Report[];
}

const onPurpose = "/var/tmp/pageload-lab-on-purpose";
const port = readProtocols().h1?.port;

/** Counts connections to ports of the harness's host. These ports are open, to see whether the page can reach them. */
let knocks = 0;
const own = attachments(topology, "harness")[0]?.address ?? "";
const listeners = await Promise.all(
  ["127.0.0.1", own].map(
    (address) =>
      new Promise<Server>((resolve) => {
        const knocked = (socket: Socket) => {
          knocks++;
          socket.destroy();
        };
        const server = createServer(knocked).listen(0, address, () => resolve(server));
      }),
  ),
);
const open = listeners
  .map((server) => server.address() as { address: string; port: number })
  .map(({ address, port }) => `${address}:${port}`);
const elsewhere = [
  ...open,
  "localhost:80",
  ...attachments(topology, "shaper").map(({ address }) => `${address}:80`),
  "192.0.2.1:80",
  "internet.example:80",
];
const url = `https://${hosts[0]?.name}:${port}/hostile/index.html#${elsewhere.join(",")}`;

/** Collects the hostile page's reports, which it prints to the console. */
function collectReports(browser: Browser): Report[] {
  const reports: Report[] = [];
  const listen = (page: Page | null) =>
    page?.on(
      "console",
      (message) => message.text().startsWith('{"found"') && reports.push(JSON.parse(message.text()) as Report),
    );
  browser.on("targetcreated", (target) => void target.page().then(listen));
  return reports;
}

/** Finds files of the browser's user anywhere on this machine outside the scratch folder. Creates one such file first, to test the search. */
async function filesOutside(scratch: string): Promise<string[]> {
  await run([...unprivileged("browser"), "touch", onPurpose]);
  const passBy = [
    ["-path", scratch],
    ["-fstype", "proc"],
    ["-fstype", "sysfs"],
  ].flatMap((what) => [...what, "-prune", "-o"]);
  const find = ["find", "/", "-ignore_readdir_race", ...passBy, "-uid", String(userIds.browser), "-print"];
  // find exits with 1 if another program's folder disappears during the search, but still searches all other folders.
  const found = (await run(["sh", "-c", '"$@" || [ $? = 1 ]', "find", ...find])).split("\n").filter(Boolean);
  rmSync(onPurpose);
  return found;
}

await bringUp();
const { browser, scratch } = await openBrowser();
const reports = collectReports(browser);
const seen = await watch(async () => {
  await coldLoad(browser, { url, timeoutMs: 30_000 }, { look: async () => {} });
  await coldLoad(browser, { url, timeoutMs: 30_000 }, { look: async () => {} });
});
const hostile: Hostile = {
  cold: reports.splice(0),
  seen,
  knocks,
  filesOutside: await filesOutside(scratch),
  sameContext: [],
};
const page = await (await browser.createBrowserContext()).newPage();
await page.goto(url);
await page.reload();
hostile.sameContext = reports;
await browser.close();
console.log(JSON.stringify(hostile));
process.exit(0);
