import type { ClientTcp } from "../../hosts/client-tcp.ts";
import { ask } from "../../hosts/control.ts";
import { serverRoutes, shaperRoutes } from "../../hosts/routes.ts";
import type { LinkReading } from "../../schema/observation.ts";
import type { WebHost } from "../../schema/registries.ts";
import type { Settings } from "../../schema/settings.ts";

/**
 * Make every host what the settings say; the link fresh, its counters at zero.
 * @returns what the shaper's kernel then says of the link
 */
export async function bringAbout(
  { link: asked, route, server, client }: Settings,
  hosts: readonly WebHost[],
  clientTcp: ClientTcp,
): Promise<LinkReading> {
  const [link] = await Promise.all([
    ask("shaper", shaperRoutes.setLink, asked),
    ...hosts.map(({ service }) => ask(service, serverRoutes.configure, { ...server, route: route.server })),
    clientTcp.set({ route, client }),
  ]);
  return link;
}
