import { isDeepStrictEqual } from "node:util";
import { clients } from "../clients/clients.ts";
import { readTopology, webHosts } from "../hosts/topology.ts";
import { labWindow } from "../schema/browser-window.ts";
import { encodingSchema } from "../schema/compression.ts";
import type { AxisName, AxisValue, Condition } from "../schema/plan.ts";
import type { ImportedPage, Registries } from "../schema/registries.ts";
import { readProtocols } from "../servers/protocols.ts";
import { quicAbilities } from "../servers/quic-options.ts";
import { servers } from "../servers/servers.ts";
import { readLinks } from "../shaper/named-links.ts";
import { readRateTraces } from "../shaper/rate-traces.ts";
import { expectedRequests, totalBytes } from "../sites/generated-page.ts";
import { isImported, listPages, loadPage } from "../sites/pages.ts";
import { objectPath } from "../sites/paths.ts";
import { hostsIn, startOf } from "../sites/recorded/recording.ts";
import { recordedServerTimes } from "../sites/recorded/server-times.ts";
import { axes } from "./registry.ts";

const mapped = <T, U>(entries: Readonly<Record<string, T>>, of: (entry: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, of(entry)]));

/** Reads the definitions of all names from the lab's files. @param isNeeded which pages to read @throws LabError (usage) for an invalid file */
export function readRegistries(isNeeded: (page: string) => boolean = () => true): Registries {
  return {
    links: readLinks(),
    traces: mapped(readRateTraces(), ({ trace: { down, up } }) => ({ down, up })),
    protocols: mapped(readProtocols(), ({ name: _, title: __, ...spoken }) => spoken),
    pages: Object.fromEntries(
      listPages()
        .filter(isNeeded)
        .map((name) => {
          const page = loadPage(name);
          if (isImported(page)) {
            const { sha256, recording } = page;
            const serverTimes = recording ? recordedServerTimes(recording) : page.serverTimes;
            const recorded = recording && {
              url: startOf(recording),
              ...hostsIn(recording),
              ...(recording.documents && { documents: recording.documents }),
              ...(recording.view && !isDeepStrictEqual(recording.view, labWindow) && { window: recording.view }),
            };
            const times = Object.keys(serverTimes).length > 0 && { serverTimes };
            return [name, { sha256, learnt: {}, ...times, ...(recorded && { recorded }) }];
          }
          const objects = Object.fromEntries(
            page.objects.map((object) => [objectPath(page, object), object.sizeBytes]),
          );
          return [name, { requests: expectedRequests(page), bodyBytes: totalBytes(page), objects }];
        }),
    ),
    servers: mapped(servers, (server) => ({
      header: server.header,
      protocols: server.protocols,
      ...quicAbilities(server),
      ...(server.can.includes("replays") && { replays: true as const }),
      encodings: encodingSchema.options.filter((encoding) => server.can.includes(encoding)),
    })),
    clients: mapped(clients, ({ userAgent, userAgentLacks, protocols, replays, drivenBy }) => ({
      userAgent,
      ...(userAgentLacks && { userAgentLacks }),
      protocols,
      ...(replays && { replays }),
      ...(drivenBy && { drivenBy }),
    })),
    hosts: webHosts(readTopology()),
    defaults: Object.fromEntries(
      axes.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]])),
    ),
  };
}

/** Returns an entry as it is in the lab's files, without the requests and windows that a run has learnt. */
export function asInFiles(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null || !("learnt" in entry)) return entry;
  const { windows: _, ...others } = entry as Partial<ImportedPage>;
  return { ...others, learnt: {} };
}

/**
 * Returns the entries that these conditions name, with all hosts and defaults.
 * @param given the values as the experiment names them: if another axis overrides a part of a link, conditions give the link another name
 */
export function usedBy(
  conditions: readonly Condition[],
  { traces = {}, ...registries }: Registries,
  given: Readonly<Record<string, readonly AxisValue[]>> = {},
): Registries {
  const only = <T>(entries: Record<string, T>, axis: AxisName) => {
    const named = new Set([...conditions.map(({ values }) => values[axis]), ...(given[axis] ?? [])]);
    return Object.fromEntries(Object.entries(entries).filter(([name]) => named.has(name)));
  };
  const usedTraces = only(traces, "trace");
  return {
    ...registries,
    ...(Object.keys(usedTraces).length > 0 && { traces: usedTraces }),
    links: only(registries.links, "link"),
    protocols: only(registries.protocols, "protocol"),
    pages: only(registries.pages, "page"),
    servers: only(registries.servers, "server"),
    clients: only(registries.clients, "client"),
  };
}
