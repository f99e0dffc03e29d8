import { readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { RouteTcp, Settings } from "../schema/settings.ts";
import { here, prepareHost, routeCommand } from "./prepare.ts";
import type { Topology } from "./topology.ts";

const fileOf = (sysctl: string) => `/proc/sys/${sysctl.replaceAll(".", "/")}`;

/** TCP of the client's host, which this process runs on: the route to the servers, and the kernel's parameters. */
export class ClientTcp {
  readonly #topology: Topology;
  #route: RouteTcp | null = null;
  /** What each parameter was before it was first set. */
  readonly #original = new Map<string, string>();

  private constructor(topology: Topology) {
    this.#topology = topology;
  }

  /** Makes this host the client. */
  static async open(topology: Topology): Promise<ClientTcp> {
    await prepareHost(here, topology, "harness");
    return new ClientTcp(topology);
  }

  /**
   * A browser ends all of its connections when its host's addresses change, as when its user comes back by another network;
   * its cache and its TLS sessions it keeps. The address is one for documentation (RFC 5737), which no packet ever has.
   */
  async changeAddresses(): Promise<void> {
    for (const change of ["replace", "del"]) await here.run(["ip", "address", change, "192.0.2.1/32", "dev", "lo"]);
  }

  /** A parameter that is not asked for gets back the value it had. */
  async set({ route: { client: route }, client: { sysctls } }: Pick<Settings, "route" | "client">): Promise<void> {
    for (const [name, value] of Object.entries(sysctls)) {
      if (!this.#original.has(name)) this.#original.set(name, readFileSync(fileOf(name), "utf8").trim());
      writeFileSync(fileOf(name), value);
    }
    for (const [name, value] of this.#original) if (!(name in sysctls)) writeFileSync(fileOf(name), value);
    if (isDeepStrictEqual(route, this.#route)) return;
    await here.run(routeCommand(this.#topology, "harness", route));
    this.#route = route;
  }
}
