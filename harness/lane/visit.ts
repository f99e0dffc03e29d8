/** Determines what a client has to load for a condition: the page's URL, limits, and an earlier visit. */
import type { Visit } from "../../clients/client.ts";
import { leastFrames, ringFrames } from "../../observe/packet-capture.ts";
import { extraRttsMs, rttsOf } from "../../schema/host-rtts.ts";
import { origin } from "../../schema/protocol.ts";
import { recordedOf, startUrlOf } from "../../schema/recorded-names.ts";
import { entryOf, isImported, type LearntRequest, type Registries, type WebHost } from "../../schema/registries.ts";
import type { Settings } from "../../schema/settings.ts";
import { importedPath, pagePath, variantFolder } from "../../sites/paths.ts";

/** A path that no page has: its response is a 404. */
const neverThere = "an-earlier-visit";

export function visitOf(settings: Settings, registries: Registries, timeoutMs: number): Visit {
  const { cpuSlowdown, connections, idleMs, view, discovery } = settings.client;
  // Only imported pages request anything after the load event.
  const entry = entryOf(registries.pages, "pages", settings.page.name);
  const untilQuiet = isImported(entry);
  const window = isImported(entry) ? entry.recorded?.window : undefined;
  const keepsCache = view === "repeat";
  const isOnlyTold = discovery === "remembered" && !keepsCache;
  const earlier = (keepsCache || settings.server.tls.resumption || isOnlyTold) && {
    ...{ keepsCache, isTold: isOverQuic(settings, registries) },
    ...(isOnlyTold && { instead: otherUrls(settings, registries) }),
  };
  const url = urlOf(settings, registries);
  return { url, timeoutMs, window, cpuSlowdown, connections, idleMs, untilQuiet, earlier: earlier || undefined };
}

/** Returns, for each of the page's hosts, a URL that the page does not use, so that no file of the page gets into a cache. */
function otherUrls(settings: Settings, registries: Registries): string[] {
  const used = entryOf(registries.protocols, "protocols", settings.page.protocol);
  return hostsOf(settings, registries).map(({ name }) => `${origin(name, used)}/${neverThere}`);
}

/** The hosts that serve the load's page. */
export const hostsOf = ({ page }: Pick<Settings, "page">, { hosts }: Pick<Registries, "hosts">): WebHost[] =>
  hosts.slice(0, page.hosts);

export const isOverQuic = ({ page }: Pick<Settings, "page">, { protocols }: Pick<Registries, "protocols">): boolean =>
  entryOf(protocols, "protocols", page.protocol).transport === "quic";

/** Whether the load may have more frames than a capture's ring holds. An imported page's number of frames is known once the page has been learnt. */
export function isLong({ page }: Settings, { pages }: Registries): boolean {
  const entry = entryOf(pages, "pages", page.name);
  const sizes = isImported(entry)
    ? Object.values(entry.learnt).map((learnt) => ({ requests: learnt.length, bytes: sumOf(learnt) }))
    : [{ requests: entry.requests, bytes: entry.bodyBytes }];
  return sizes.length === 0 || sizes.some((size) => 2 * leastFrames(size) > ringFrames);
}

const sumOf = (learnt: readonly LearntRequest[]) => learnt.reduce((sum, { bytes }) => sum + bytes, 0);

/** The folder of an imported page, which is the servers' document root in loads of this page. */
export const folderOf = ({ page: { name, hosts, protocol } }: Settings, { pages }: Registries): string | undefined =>
  isImported(entryOf(pages, "pages", name)) ? variantFolder(name, hosts, protocol) : undefined;

/** Returns how many milliseconds longer the RTT to each of the page's hosts is than the RTT to the nearest host. */
export function extraRttsOf({ page: { name, hosts }, server }: Settings, registries: Registries): number[] {
  const recorded = recordedOf(name, registries);
  return recorded ? extraRttsMs(recorded, hosts, rttsOf(server)) : [];
}

function urlOf(settings: Settings, registries: Registries): string {
  const { name, hosts, protocol, document } = settings.page;
  const spoken = entryOf(registries.protocols, "protocols", protocol);
  const recorded = recordedOf(name, registries);
  if (recorded) return startUrlOf(recorded, spoken, document);
  const path = folderOf(settings, registries) ? importedPath(document) : pagePath({ name }, hosts, protocol);
  return origin(registries.hosts[0]!.name, spoken) + path;
}
