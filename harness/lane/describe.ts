import os from "node:os";
import { run } from "../../hosts/command.ts";
import { ask } from "../../hosts/control.ts";
import { environment } from "../../hosts/environment.ts";
import { serverRoutes, shaperRoutes } from "../../hosts/routes.ts";
import { sysctlOrNone } from "../../hosts/sysctls.ts";
import { type Topology, webHosts } from "../../hosts/topology.ts";
import type { LoadChunk } from "../../schema/lane-messages.ts";
import type { Lane } from "../../schema/records.ts";
import type { OpenClients } from "./open-clients.ts";

const ofTcp = "net.ipv4.";
/** Kernel parameters that influence TCP. */
const sysctls = [
  "tcp_available_congestion_control",
  "tcp_congestion_control",
  "tcp_early_retrans",
  "tcp_ecn",
  "tcp_fastopen",
  "tcp_frto",
  "tcp_limit_output_bytes",
  "tcp_moderate_rcvbuf",
  "tcp_mtu_probing",
  "tcp_no_metrics_save",
  "tcp_notsent_lowat",
  "tcp_recovery",
  "tcp_reordering",
  "tcp_rmem",
  "tcp_sack",
  "tcp_slow_start_after_idle",
  "tcp_timestamps",
  "tcp_window_scaling",
  "tcp_wmem",
];

/** Describes the hosts and software of this lane's loads. @param calibrations link -> the calibration that is valid from now on */
export async function describeLane(
  clients: OpenClients,
  { number, loads }: LoadChunk,
  calibrations: Record<string, string>,
  topology: Topology,
): Promise<Lane> {
  const software = [...new Set(loads.map(({ condition }) => condition.settings.server.software))];
  const server = webHosts(topology)[0]?.service ?? "";
  const versions = await Promise.all(
    software.map(async (name) => [name, await ask(server, serverRoutes.version, name)] as const),
  );
  const opened = clients.bySoftware();
  return {
    lane: number,
    startedAt: new Date().toISOString(),
    calibrations,
    substrate: environment.substrate ?? "",
    clock: environment.virtualClock ? "virtual" : "real",
    shaper: await ask("shaper", shaperRoutes.describe),
    machine: {
      cpu: os.cpus()[0]?.model ?? "",
      cores: os.cpus().length,
      memoryMiB: Math.round(os.totalmem() / 2 ** 20),
      kernel: os.release(),
    },
    versions: {
      ...(environment.files && { labFiles: environment.files }),
      ...(environment.kernel && { kernelImage: environment.kernel }),
      ...(environment.root && { guestRoot: environment.root }),
      ...Object.fromEntries(opened.map(([name, { version }]) => [name, version])),
      harnessNode: process.version,
      iproute2: (await run(["ip", "-V"])).trim(),
      ...Object.fromEntries(versions),
    },
    sandbox: opened.every(([, { sandbox }]) => sandbox),
    sysctls: Object.fromEntries(sysctls.map((name) => [name, sysctlOrNone(`${ofTcp}${name}`)])),
    ...(await serverSysctls(loads, topology)),
  };
}

/** Reads nothing if no condition sets servers' parameters: servers have the client's kernel, and requests change the virtual clock's random delays. */
async function serverSysctls(loads: LoadChunk["loads"], topology: Topology): Promise<Pick<Lane, "serverSysctls">> {
  const set = new Set(loads.flatMap(({ condition }) => Object.keys(condition.settings.server.sysctls ?? {})));
  if (set.size === 0) return {};
  const names = [...new Set([...sysctls.map((name) => `${ofTcp}${name}`), ...set])];
  const short = (name: string) => (name.startsWith(ofTcp) ? name.slice(ofTcp.length) : name);
  const hosts = webHosts(topology).map(({ service }) => service);
  const answers = await Promise.all(hosts.map((host) => ask(host, serverRoutes.sysctls, names)));
  const values = answers.map((answer) => names.map((name) => [short(name), answer[name] ?? ""]));
  return { serverSysctls: Object.fromEntries(hosts.map((host, i) => [host, Object.fromEntries(values[i]!)])) };
}
