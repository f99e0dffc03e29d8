/** The responses that a load must receive: computed from a generated page's definition, or learnt for an imported page before the run. */

import type { Encoding } from "../schema/compression.ts";
import { placesOf } from "../schema/host-rtts.ts";
import type { ShownWindow } from "../schema/picture.ts";
import type { ConditionValues } from "../schema/plan.ts";
import { entryOf, type ImportedPage, isImported, type LearntRequest, type Registries } from "../schema/registries.ts";
import { pagePath, startFile, variantName } from "../sites/paths.ts";

/** The part of a condition that an imported page's requests depend on, such as "2-h2-nginx-chromium". */
export function learntAs(values: ConditionValues): string {
  const { servers, protocol, server, client, view, hostRtts } = values;
  const { document = startFile, compression = "auto" } = values;
  return [
    ...[variantName(servers, protocol), server, client],
    ...(view === "repeat" ? ["repeat"] : []),
    ...(compression === "auto" ? [] : [compression]),
    ...(hostRtts === "recorded" ? ["host-rtts"] : []),
    ...(document === startFile ? [] : [document]),
  ].join("-");
}

/** The content coding of a condition's texts; null if they are sent uncompressed. */
export function encodingOf(values: ConditionValues, { pages, clients }: Registries): Encoding | null {
  const { page, client, compression } = values;
  if (compression === "none" || !isImported(entryOf(pages, "pages", page)) || clients[client]?.replays) return null;
  return compression === "auto" ? "gzip" : compression;
}

/** In a repeat view the client takes everything from its cache except the document, which it revalidates. */
export const isRepeat = ({ view }: ConditionValues): boolean => view === "repeat";

/** The requests of an imported page that were learnt for this condition; null for a generated page. */
export function learntOf(values: ConditionValues, { pages }: Registries): readonly LearntRequest[] | null {
  const entry = entryOf(pages, "pages", values.page);
  return isImported(entry) ? (entry.learnt[learntAs(values)] ?? []) : null;
}

/** What the browser's window showed when the page was learnt; null if no picture of the window was taken. */
export function learntWindowOf(values: ConditionValues, { pages }: Registries): ShownWindow | null {
  const entry = entryOf(pages, "pages", values.page);
  return isImported(entry) ? (entry.windows?.[learntAs(values)] ?? null) : null;
}

const firstError = 400;

/** The path and status of each request that is answered with an error, for example because the page's folder lacks the file. */
export const errorsOf = (learnt: readonly LearntRequest[]): string[] => [
  ...new Set(learnt.filter(({ status }) => status >= firstError).map(({ path, status }) => `${path} (${status})`)),
];

/** Bytes of all bodies that a load must receive. */
export function bodyBytesOf(values: ConditionValues, registries: Registries): number {
  const entry = entryOf(registries.pages, "pages", values.page);
  const learnt = learntOf(values, registries)?.filter(
    ({ optional, failed, stopped }) => !optional && !failed && !stopped,
  );
  if (isImported(entry)) return sum(learnt!.map(({ bytes }) => bytes));
  return isRepeat(values) ? 0 : entry.bodyBytes;
}

/** Bytes of each body of a generated page, by path: its objects, and the HTML of this condition. Null for an imported page. */
export function bodiesByPath(values: ConditionValues, { pages }: Registries): Record<string, number> | null {
  const entry = entryOf(pages, "pages", values.page);
  if (isImported(entry)) return null;
  const html = pagePath({ name: values.page }, values.servers, values.protocol);
  if (isRepeat(values)) return { [html]: 0 };
  return { ...entry.objects, [html]: entry.bodyBytes - sum(Object.values(entry.objects)) };
}

/** The most concurrent connections of a client to a host. Requests without credentials, as for fonts, need separate connections (Fetch, 2.7). */
export function mostConnections(all: ConditionValues, registries: Registries): number {
  const { page, protocol, client, connections } = all;
  if (typeof connections === "number") return connections;
  if (connections === "each" || connections === "in-turn") return Number.POSITIVE_INFINITY;
  const { connections: browsers } = entryOf(registries.protocols, "protocols", protocol);
  const toHost = Math.min(registries.clients[client]?.replays?.connections ?? browsers, browsers);
  const entry = entryOf(registries.pages, "pages", page);
  if (!isImported(entry)) return toHost;
  return 2 * toHost * (entry.recorded ? mostNames(entry.recorded, all) : 1);
}

/** The largest number of a recorded page's host names that one of the lab's hosts serves. */
function mostNames(recorded: NonNullable<ImportedPage["recorded"]>, { servers, hostRtts }: ConditionValues) {
  const places = placesOf(recorded, servers, hostRtts);
  const namesOn = (host: number) => sum(recorded.hosts.map(({ length }, i) => (places[i] === host ? length : 0)));
  return Math.max(...Array.from({ length: servers }, (_, host) => namesOn(host)));
}

/** The paths of a generated page that the client has in its cache. */
export function keptPaths(values: ConditionValues, { pages }: Registries): string[] {
  const entry = entryOf(pages, "pages", values.page);
  return isRepeat(values) && !isImported(entry) ? Object.keys(entry.objects) : [];
}

/** Bytes of the longest body of a generated page. Null for an imported page. */
export function largestBodyOf(values: ConditionValues, registries: Registries): number | null {
  const bodies = bodiesByPath(values, registries);
  return bodies && Math.max(0, ...Object.values(bodies));
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
