import type { ClientTcp } from "../../hosts/client-tcp.ts";
import { ask } from "../../hosts/control.ts";
import { serverRoutes, shaperRoutes } from "../../hosts/routes.ts";
import type { WebHost } from "../../schema/registries.ts";
import type { Settings } from "../../schema/settings.ts";

/** Make every host what the settings say; the link fresh, its counters at zero. */
export async function bringAbout(
  { link, route, server: { software }, client }: Settings,
  hosts: readonly WebHost[],
  clientTcp: ClientTcp,
): Promise<void> {
  await Promise.all([
    ask("shaper", shaperRoutes.setLink, link),
    ...hosts.map(({ service }) => ask(service, serverRoutes.configure, { software, route: route.server })),
    clientTcp.set({ route, client }),
  ]);
}
