import type { ClientTcp } from "../../hosts/client-tcp.ts";
import { ask } from "../../hosts/control.ts";
import { serverRoutes, shaperRoutes } from "../../hosts/routes.ts";
import { adaptiveWindow } from "../../models/adaptive-window.ts";
import type { KnownClient } from "../../schema/known-client.ts";
import type { LinkReading } from "../../schema/observation.ts";
import type { WebHost } from "../../schema/registries.ts";
import { adaptive, type Measuring, type RouteTcp } from "../../schema/settings.ts";

/**
 * Configures every host according to the settings, and sets up a fresh link, with its counters at zero. The last parameter has the folder
 * of an imported page, and what servers know of the client, for servers whose initial window depends on it.
 * @returns the link as the shaper's kernel then reports it
 */
export async function configureHosts(
  { link: asked, route, server, client }: Measuring,
  hosts: readonly WebHost[],
  clientTcp: ClientTcp,
  { known = [], folder }: { known?: readonly KnownClient[]; folder?: string | undefined } = {},
): Promise<LinkReading> {
  const routeOf = (name: string): RouteTcp => {
    const { initcwnd, ...others } = route.server;
    if (initcwnd !== adaptive) return { ...others, initcwnd };
    const client = known.find((one) => one.host === name);
    return client ? { ...others, initcwnd: adaptiveWindow(client.connections) } : others;
  };
  const checks = asked.corruptPercent === undefined ? {} : { checksPackets: true as const };
  const [link] = await Promise.all([
    ask("shaper", shaperRoutes.setLink, asked),
    ...hosts.map(({ service, name }) =>
      ask(service, serverRoutes.configure, { ...server, ...checks, folder, route: routeOf(name) }),
    ),
    clientTcp.set({ route, client }),
  ]);
  return link;
}
