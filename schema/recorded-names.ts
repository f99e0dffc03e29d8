/**
 * The host names of a recorded page. The browser requests the recorded URLs, and each name resolves to a host of the lab. In records, a
 * request's path begins with the recorded name: "//www.example.com/logo.png?v=2" (a network-path reference; RFC 3986, section 4.2).
 */
import { type HostRtts, placesOf } from "./host-rtts.ts";
import { origin, type Protocol } from "./protocol.ts";
import { type ImportedPage, isImported, type Registries, type WebHost } from "./registries.ts";

/** Where the requests to a name go. */
export interface RecordedName {
  /** The host name as in URLs: with the port, unless it is the scheme's default port. */
  name: string;
  host: WebHost;
  port: number;
}

/** Returns what is known of a page that was recorded under its own host names; undefined for other pages. */
export function recordedOf(page: string, { pages }: Pick<Registries, "pages">): ImportedPage["recorded"] {
  const entry = pages[page];
  return entry && isImported(entry) ? entry.recorded : undefined;
}

export function namesOf(
  { recorded }: Pick<ImportedPage, "recorded">,
  hosts: readonly WebHost[],
  { port }: Pick<Protocol, "port">,
  rtts: HostRtts = "equal",
): RecordedName[] {
  const places = recorded ? placesOf(recorded, hosts.length, rtts) : [];
  return (recorded?.hosts ?? []).flatMap((names, i) => {
    const host = hosts[places[i]!];
    return host ? names.map((name) => ({ name, host, port })) : [];
  });
}

/** Returns a URL without its scheme. Records use this as the path of a recorded page's request. */
export const networkPathOf = ({ host, pathname, search }: URL): string => `//${host}${pathname}${search}`;

const isNetworkPath = (path: string): boolean => path.startsWith("//");

/** @param url as in records */
export function hostAndPathOf(url: string): { host: string; path: string } {
  const { hostname: host, pathname, search } = new URL(url);
  return { host, path: isNetworkPath(pathname) ? pathname + search : pathname };
}

/** Returns a URL as records have it, on one of the lab's hosts. URLs with unknown names stay as they are. */
export function urlInRecords(url: string, names: readonly RecordedName[], protocol: Pick<Protocol, "scheme">): string {
  const parsed = new URL(url);
  const known = names.find(({ name }) => name === parsed.host);
  return known ? origin(known.host.name, { ...protocol, port: known.port }) + networkPathOf(parsed) : url;
}

/** Returns the URL at which a load of a recorded page begins, with the protocol's scheme. @param document one of `documents`; absent for `url` */
export const startUrlOf = (
  { url, documents = [] }: { url: string; documents?: readonly string[] | undefined },
  { scheme }: Pick<Protocol, "scheme">,
  document?: string,
): string =>
  document !== undefined && documents.includes(document)
    ? `${scheme}://${document}`
    : url.replace(/^https?(?=:)/, scheme);
