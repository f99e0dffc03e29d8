import type { RouteTcp } from "../schema/settings.ts";
import { run, runBatch } from "./command.ts";
import { attachments, subnet, type Topology } from "./topology.ts";

/** Runs a host's commands: in this network namespace, or in the shaper's user-mode kernel. */
export interface Host {
  /** @returns stdout @throws Error with the command's message */
  run(command: string[]): Promise<string>;
  /** Runs several commands of one program in one process. @param program the program and its options */
  batch(program: string[], commands: string[][]): Promise<string>;
}

/**
 * Prepares a host of the topology in its own network namespace. Packets are the same as on a wire: there are no superpackets, and checksums
 * are computed and verified, which veth otherwise skips. Neighbours are configured, so there is no ARP. There is no route out of the lab.
 * @param devices the device on each network; if absent, devices are found by their addresses
 */
export async function prepareHost(
  host: Host,
  topology: Topology,
  name: string,
  devices?: Map<string, string>,
): Promise<void> {
  const attached = attachments(topology, name);
  // Without this check, an agent started by hand would remove the default route of the machine.
  if (attached.length === 0) throw new Error(`compose.yml has no host "${name}" with a network`);
  for (const { network, address, prefixLength, mac } of attached) {
    const device = devices?.get(network) ?? (await deviceOf(host, address));
    const offloads = `tso off gso off gro off${devices ? "" : " tx off rx off"}`;
    await host.run(`ethtool -K ${device} ${offloads}`.split(" "));
    const commands = [
      `link set ${device} address ${mac}`,
      ...(devices ? [`address add ${address}/${prefixLength} dev ${device}`, `link set ${device} up`] : []),
      ...peersOn(topology, network, name).map(
        (peer) => `neigh replace ${peer.address} lladdr ${peer.mac} dev ${device} nud permanent`,
      ),
    ];
    await host.batch(
      ["ip"],
      commands.map((command) => command.split(" ")),
    );
  }
  if ((await host.run(["ip", "route", "show", "default"])).trim()) await host.run(["ip", "route", "del", "default"]);
}

/** The command that routes a host's traffic to the other network through the shaper, with the route's TCP settings. */
export function routeCommand(topology: Topology, name: string, tcp: RouteTcp): string[] {
  const own = attachments(topology, name)[0];
  const gateway = own && attachments(topology, "shaper").find(({ network }) => network === own.network);
  const far = Object.keys(topology.networks).find((network) => network !== own?.network);
  if (!gateway || !far) throw new Error(`compose.yml: ${name} shares no network with the shaper`);
  const option = (name: "initcwnd" | "initrwnd") => (tcp[name] === undefined ? "" : ` ${name} ${tcp[name]}`);
  const route = `${subnet(topology.networks[far], far)} via ${gateway.address}`;
  return `ip route replace ${route}${option("initcwnd")}${option("initrwnd")} congctl ${tcp.congestion}`.split(" ");
}

export async function deviceOf(host: Host, address: string): Promise<string> {
  const found = JSON.parse(await host.run(["ip", "-json", "address", "show", "to", address])) as { ifname?: string }[];
  const device = found.find(({ ifname }) => ifname)?.ifname;
  if (!device) throw new Error(`no device has the address ${address}`);
  return device;
}

function peersOn(topology: Topology, network: string, name: string) {
  return Object.keys(topology.services)
    .filter((service) => service !== name)
    .flatMap((service) => attachments(topology, service).filter((peer) => peer.network === network));
}

export const here: Host = { run, batch: runBatch };
