import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { readTopology, webHosts } from "../../hosts/topology.ts";
import { expectedRequests, loadPage, totalBytes } from "../../pages/pages.ts";
import { usageError } from "../../schema/errors.ts";
import type { Condition } from "../../schema/model.ts";
import { readProtocols } from "../../servers/protocols.ts";
import { readChannels } from "../../shaper/channels.ts";
import type { Expectation } from "../judge/contradictions.ts";

const channel = z.strictObject({
  name: z.string(),
  downMbps: z.number(),
  upMbps: z.number(),
  rttMs: z.number(),
  lossPercent: z.number(),
  queuePackets: z.int(),
});

/**
 * What the names in an experiment mean: written into a run's manifest, so that its tables and its proof hold when the
 * lab's own files change later. Each by its name.
 */
export const registriesSchema = z.strictObject({
  channels: z.record(z.string(), channel),
  /** ALPN identifier, port, and the most connections to one host. */
  protocols: z.record(z.string(), z.strictObject({ alpn: z.string(), port: z.int(), connections: z.int() })),
  pages: z.record(z.string(), z.strictObject({ requests: z.int(), bodyBytes: z.int() })),
  /** The web hosts, in the order in which pages use them. */
  hosts: z.array(z.strictObject({ service: z.string(), name: z.string(), address: z.string() })),
});
export type Registries = z.infer<typeof registriesSchema>;

/** As the lab's files have them now; only what these axes name. */
export function readRegistries(axes: { page: string[]; channel: string[]; protocol: string[] }): Registries {
  const channels = readChannels();
  const protocols = readProtocols();
  const byName = <T>(names: string[], of: (name: string) => T) =>
    Object.fromEntries(names.map((name) => [name, of(name)]));
  return {
    channels: byName(axes.channel, (name) => entry(channels, "channel", name)),
    protocols: byName(axes.protocol, (name) => {
      const { alpn, port, connections } = entry(protocols, "protocol", name);
      return { alpn, port, connections };
    }),
    pages: byName(axes.page, (name) => {
      const page = loadPage(name);
      return { requests: expectedRequests(page), bodyBytes: totalBytes(page) };
    }),
    hosts: webHosts(readTopology()),
  };
}

function entry<T>(registry: ReadonlyMap<string, T>, kind: string, name: string): T {
  const found = registry.get(name);
  if (!found) throw usageError(`there is no ${kind} "${name}" any more; there is: ${[...registry.keys()].join(", ")}`);
  return found;
}

/** @throws LabError (usage) that names what has changed: loads of the same name would not be the same */
export function refuseChange(then: Registries, now: Registries, run: string): void {
  for (const kind of ["channels", "protocols", "pages"] as const)
    for (const [name, value] of Object.entries(then[kind]))
      if (!isDeepStrictEqual(value, now[kind][name]))
        throw usageError(
          `${run} cannot be resumed: ${kind} "${name}" was ${JSON.stringify(value)} and is ${JSON.stringify(now[kind][name])}; begin a new run, or undo the change`,
        );
  if (!isDeepStrictEqual(then.hosts, now.hosts))
    throw usageError(`${run} cannot be resumed: the hosts in compose.yml have changed`);
}

/** What a load of this condition must look like. */
export function expectationOf(
  { page, servers, protocol, channel: link, initcwnd, congestion }: Condition,
  { pages, protocols, hosts }: Registries,
): Expectation {
  const { alpn, port, connections } = protocols[protocol]!;
  const { requests, bodyBytes } = pages[page]!;
  return {
    requests,
    bodyBytes,
    alpn,
    initcwnd,
    congestion,
    connectionsPerHost: connections,
    addresses: Object.fromEntries(hosts.slice(0, servers).map(({ name, address }) => [name, `${address}:${port}`])),
    channel: link,
  };
}
