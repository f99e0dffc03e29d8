/** How to create a fault in a running lab, and access to the parts of the lab that faults break. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Visit } from "../../clients/client.ts";
import { run } from "../../hosts/command.ts";
import { ask } from "../../hosts/control.ts";
import { environment } from "../../hosts/environment.ts";
import { serverRoutes, shaperRoutes } from "../../hosts/routes.ts";
import { attachments, readTopology, webHosts } from "../../hosts/topology.ts";
import type { Values } from "../../schema/plan.ts";
import type { RouteTcp, Settings } from "../../schema/settings.ts";
import type { configuration as caddyConfiguration } from "../../servers/caddy/server.ts";

export interface InLab {
  /** The load's axis values that differ from the usual ones: page A, one server, link 20x2-20ms-0%, h2, initcwnd 3. */
  condition?: Values;
  /** What must detect the fault: the load's own evidence, or the calibration of its link. */
  caughtBy: "evidence" | "calibration" | "nothing";
  /** Called after the condition is configured and before the load. If a fault needs two loads, it is called before each load. */
  apply(configured: Settings): Promise<void>;
  /** The fault persists in the next condition, so no other fault may follow it on the same hosts. */
  lasts?: boolean;
  /** Whether two loads share one browser context. Only the second load is judged. */
  sharesContext?: boolean;
  /** The two loads share the context's connections and TLS sessions, but not its cache. */
  withoutCache?: boolean;
  /** Alters the visit of a client without a browser. */
  otherVisit?: (visit: Visit) => Visit;
  /** The browser is not forced to use QUIC. */
  withoutQuic?: boolean;
  /** Every name resolves to the first host's address, with a certificate for all names. */
  sharesHost?: boolean;
}

/** A folder for files that are removed when the hosts end. */
export const { temporary } = environment;
const topology = readTopology();
const [server] = webHosts(topology);
export const client = attachments(topology, "harness")[0]!;
const gateway = attachments(topology, "shaper").find(({ network }) => network === "core")!;
export const inServer = (...command: string[]) => run(["ip", "netns", "exec", "server1", ...command]);
/** Runs a command outside all hosts, in the namespace of the lane's first process and of the bridges. */
const outside = (...command: string[]) => run(["nsenter", "--net=/proc/1/ns/net", ...command]);
export const route = (...tcp: string[]) =>
  inServer("ip", "route", "replace", "198.18.0.0/24", "via", gateway.address, ...tcp);
export const netem =
  (...words: string[]) =>
  async () => {
    const { devices } = await ask("shaper", shaperRoutes.describe);
    await ask("shaper", shaperRoutes.tc, [words.map((word) => (word === "ACCESS" ? devices.access : word))]);
  };

/** Makes these replacements in nginx's configuration, and reloads nginx. */
export async function reconfigure(...replacements: [RegExp, string][]): Promise<void> {
  const file = `${temporary}/server1/nginx.conf`;
  writeFileSync(
    file,
    replacements.reduce((text, [from, to]) => text.replace(from, to), readFileSync(file, "utf8")),
  );
  await inServer("nginx", "-e", "stderr", "-c", file, "-s", "reload");
  await new Promise((resolve) => setTimeout(resolve, 300));
}

/** Configures the first server with settings that differ from the condition's. */
export const otherServer =
  (change: Partial<Settings["server"]>) =>
  async ({ server: configured, route }: Settings): Promise<void> =>
    void (await ask("server1", serverRoutes.configure, { ...configured, ...change, route: route.server as RouteTcp }));

type CaddyConfiguration = ReturnType<typeof caddyConfiguration>;

/** Alters Caddy's configuration. At SIGUSR1 Caddy reads its file again and ends its connections. */
export async function reconfigureCaddy(alter: (configuration: CaddyConfiguration) => void): Promise<void> {
  const file = `${temporary}/server1/caddy.json`;
  const configuration = JSON.parse(readFileSync(file, "utf8")) as CaddyConfiguration;
  alter(configuration);
  writeFileSync(file, JSON.stringify(configuration));
  const pids = (await run(["ip", "netns", "pids", "server1"])).trim().split("\n");
  for (const pid of pids)
    if (readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "caddy") process.kill(Number(pid), "SIGUSR1");
  await new Promise((resolve) => setTimeout(resolve, 2000));
}

/** Adds a cable between the two networks, and routes over it, so that packets go around the shaper. */
export async function goAround(): Promise<void> {
  await outside("ip", "link", "add", "around.a", "type", "veth", "peer", "name", "around.c");
  for (const [device, network] of [
    ["around.a", "access"],
    ["around.c", "core"],
  ] as const)
    await outside("ip", "link", "set", device, "master", network, "up");
  const serverMac = attachments(topology, "server1")[0]!.mac;
  await run(["ip", "neigh", "replace", server!.address, "lladdr", serverMac, "dev", "eth0", "nud", "permanent"]);
  await run(["ip", "route", "replace", `${server!.address}/32`, "dev", "eth0", "congctl", "cubic"]);
  await inServer("ip", "neigh", "replace", client.address, "lladdr", client.mac, "dev", "eth0", "nud", "permanent");
  await inServer("ip", "route", "replace", `${client.address}/32`, "dev", "eth0", "initcwnd", "3", "congctl", "cubic");
}
