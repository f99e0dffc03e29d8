/** Statistics of recorded pages, as in the survey of sites in section 4 of draft-white-httpbis-spdy-analysis-00. */
import type { HarEntry } from "./read-har.ts";

export interface SurveyedPage {
  /** The host of the first request. */
  name: string;
  servers: number;
  resources: number;
  /** Over the network, if the recording has that. */
  bytes: number;
  /** From the first request to the end of the last response; null if the recording has no times. */
  loadSeconds: number | null;
  /** The share of all resources on the server with most requests, on the first two, and so on. */
  topShares: number[];
  /** The fastest TCP handshake of each of these servers; null where none was recorded. */
  topRttMs: (number | null)[];
}

export const topServers = 5;

/** A row for each page of a recording. */
export function surveyOf(entries: readonly HarEntry[]): SurveyedPage[] {
  const overHttp = entries.filter(({ request }) => /^https?:/.test(request.url));
  const pages = grouped(overHttp, ({ pageref }) => pageref ?? "");
  return pages.map(pageOf);
}

/** Groups in the order of their first entries. */
function grouped(entries: readonly HarEntry[], keyOf: (entry: HarEntry) => string): HarEntry[][] {
  const groups = new Map<string, HarEntry[]>();
  for (const one of entries) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()];
}

function pageOf(entries: readonly HarEntry[]): SurveyedPage {
  const sorted = entries.toSorted((a, b) => startOf(a) - startOf(b));
  const byHost = grouped(sorted, hostOf).sort((a, b) => b.length - a.length);
  const top = byHost.slice(0, topServers);
  const starts = sorted.map(startOf);
  const ends = sorted.map((one) => startOf(one) + (one.time ?? Number.NaN));
  const loadMs = Math.max(...ends) - Math.min(...starts);
  return {
    name: hostOf(sorted[0]!),
    servers: byHost.length,
    resources: entries.length,
    bytes: entries.reduce((sum, one) => sum + bytesOf(one), 0),
    loadSeconds: Number.isFinite(loadMs) ? loadMs / 1000 : null,
    topShares: Array.from(
      { length: topServers },
      (_, i) => top.slice(0, i + 1).reduce((sum, host) => sum + host.length, 0) / entries.length,
    ),
    topRttMs: top.map(rttOf),
  };
}

const hostOf = ({ request }: HarEntry): string => new URL(request.url).host;
const startOf = ({ startedDateTime }: HarEntry): number => Date.parse(startedDateTime ?? "");

/** Headers and body as transferred; -1 means unknown. */
function bytesOf({ response }: HarEntry): number {
  const { _transferSize: transferred, headersSize, bodySize, content } = response;
  if (transferred != null && transferred >= 0) return transferred;
  const body = bodySize != null && bodySize >= 0 ? bodySize : (content?.size ?? 0);
  return body + Math.max(0, headersSize ?? 0);
}

/** `connect` is the handshake of TCP and TLS together, `ssl` that of TLS (HAR 1.2, "timings"). */
function rttOf(entries: readonly HarEntry[]): number | null {
  const handshakes = entries.flatMap(({ timings }) => {
    const { connect, ssl } = timings ?? {};
    return connect != null && connect > 0 ? [connect - Math.max(0, ssl ?? 0)] : [];
  });
  return handshakes.length ? Math.min(...handshakes) : null;
}
