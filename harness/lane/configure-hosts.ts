import type { ClientTcp } from "../../hosts/client-tcp.ts";
import { ask } from "../../hosts/control.ts";
import { serverRoutes, shaperRoutes } from "../../hosts/routes.ts";
import { adaptiveWindow } from "../../models/adaptive-window.ts";
import { laterBy } from "../../schema/host-rtts.ts";
import type { KnownClient } from "../../schema/known-client.ts";
import type { LinkReading } from "../../schema/observation.ts";
import type { WebHost } from "../../schema/registries.ts";
import { adaptive, type Measuring, type RouteTcp } from "../../schema/settings.ts";

export interface HostOptions {
  /** Each server's figures of earlier connections to the client, from which its adaptive initial window is computed. */
  known?: readonly KnownClient[];
  /** The folder of an imported page. */
  folder?: string | undefined;
  /** How much longer each host's RTT is than the nearest host's RTT, in the order of `hosts`; absent if all RTTs are equal. */
  extraRttsMs?: readonly number[];
  /** Whether the load may have more packets than the ring buffer of a capture has room for. */
  isLong?: boolean;
}

/** Configures every host, and sets up a fresh link with its counters at zero. @returns the new link as the shaper's kernel reports it */
export async function configureHosts(
  { link: asked, route, server: { recordedRtts: _, ...server }, client }: Measuring,
  hosts: readonly WebHost[],
  clientTcp: ClientTcp,
  { known = [], folder, extraRttsMs = [], isLong = false }: HostOptions = {},
): Promise<LinkReading> {
  const routeOf = (name: string): RouteTcp => {
    const { initcwnd, ...others } = route.server;
    if (initcwnd !== adaptive) return { ...others, initcwnd };
    const client = known.find((one) => one.host === name);
    return client ? { ...others, initcwnd: adaptiveWindow(client.connections) } : others;
  };
  const captures = {
    ...(asked.corruptPercent !== undefined && { checksPackets: true as const }),
    ...(isLong && { isLong: true as const }),
  };
  const [link] = await Promise.all([
    ask("shaper", shaperRoutes.setLink, asked),
    ...hosts.map(({ service, name }, i) => {
      const qdisc = laterBy(extraRttsMs[i] ?? 0) ?? server.qdisc;
      return ask(service, serverRoutes.configure, { ...server, ...captures, folder, qdisc, route: routeOf(name) });
    }),
    clientTcp.set({ route, client }),
  ]);
  return link;
}
