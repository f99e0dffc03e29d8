import { isDeepStrictEqual } from "node:util";
import type { RouteTcp, Settings } from "../schema/settings.ts";
import { here, prepareHost, routeCommand } from "./prepare.ts";
import { Sysctls } from "./sysctls.ts";
import type { Topology } from "./topology.ts";

/** Sets TCP on the client's host, where this process runs: the route to the servers, and kernel parameters. */
export class ClientTcp {
  readonly #topology: Topology;
  #route: RouteTcp | null = null;
  readonly #sysctls = new Sysctls();

  private constructor(topology: Topology) {
    this.#topology = topology;
  }

  static async open(topology: Topology): Promise<ClientTcp> {
    await prepareHost(here, topology, "harness");
    return new ClientTcp(topology);
  }

  /**
   * Makes the browser close all connections, but keep its cache and TLS sessions. A browser does this when its host's addresses change,
   * because the user has then moved to another network. The address below is for documentation only (RFC 5737), so no packet uses it.
   */
  async changeAddresses(): Promise<void> {
    for (const change of ["replace", "del"]) await here.run(["ip", "address", change, "192.0.2.1/32", "dev", "lo"]);
  }

  /** Applies the settings, and restores the original values of kernel parameters that the settings do not contain. */
  async set({ route: { client: route }, client: { sysctls } }: Pick<Settings, "route" | "client">): Promise<void> {
    this.#sysctls.set(sysctls);
    if (isDeepStrictEqual(route, this.#route)) return;
    await here.run(routeCommand(this.#topology, "harness", route));
    this.#route = route;
  }
}
