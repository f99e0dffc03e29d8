import type { RouteTcp } from "../schema/settings.ts";
import { run, runBatch } from "./command.ts";
import { attachments, subnet, type Topology } from "./topology.ts";

/** Where a host's commands run: its own kernel, or the shaper's user-mode one. */
export interface Host {
  /** @returns stdout; rejects with the command's own words */
  run(command: string[]): Promise<string>;
  /** The same of several commands of one program, in one process. @param program with its options */
  batch(program: string[], commands: string[][]): Promise<string>;
}

/**
 * Make one host of the topology ready, in its own network namespace: its packets are as on a wire (no superpackets,
 * checksums made and checked, or a router that corrupts goes unseen on veth), its neighbours are known for good (no ARP), and there is no way out but through the lab.
 * @param devices the device on each network; found by address when not given
 */
export async function prepareHost(
  host: Host,
  topology: Topology,
  name: string,
  devices?: Map<string, string>,
): Promise<void> {
  for (const { network, address, prefixLength, mac } of attachments(topology, name)) {
    const device = devices?.get(network) ?? (await deviceOf(host, address));
    await host.run([
      "ethtool",
      "-K",
      device,
      "tso",
      "off",
      "gso",
      "off",
      "gro",
      "off",
      ...(devices ? [] : ["tx", "off", "rx", "off"]),
    ]);
    await host.batch(
      ["ip"],
      [
        ["link", "set", device, "address", mac],
        ...(devices ? [["address", "add", `${address}/${prefixLength}`, "dev", device]] : []),
        ...(devices ? [["link", "set", device, "up"]] : []),
        ...peersOn(topology, network, name).map((peer) => [
          "neigh",
          "replace",
          peer.address,
          "lladdr",
          peer.mac,
          "dev",
          device,
          "nud",
          "permanent",
        ]),
      ],
    );
  }
  if ((await host.run(["ip", "route", "show", "default"])).trim()) await host.run(["ip", "route", "del", "default"]);
}

/** The command that routes a host's traffic to the other network through the shaper, with TCP as asked. */
export function routeCommand(topology: Topology, name: string, tcp: RouteTcp): string[] {
  const own = attachments(topology, name)[0];
  const gateway = own && attachments(topology, "shaper").find(({ network }) => network === own.network);
  const far = Object.keys(topology.networks).find((network) => network !== own?.network);
  if (!gateway || !far) throw new Error(`compose.yml: ${name} shares no network with the shaper`);
  const option = (name: "initcwnd" | "initrwnd") => (tcp[name] === undefined ? [] : [name, String(tcp[name])]);
  return [
    "ip",
    "route",
    "replace",
    subnet(topology.networks[far], far),
    "via",
    gateway.address,
    ...option("initcwnd"),
    ...option("initrwnd"),
    "congctl",
    tcp.congestion,
  ];
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

/** This network namespace. */
export const here: Host = { run, batch: runBatch };
