/** What recorded pages are made of, as section 4 of draft-white-httpbis-spdy-analysis-00 surveyed sites. */
import type { HarEntry } from "./read-har.ts";

export interface SurveyedPage {
  /** The host of what was asked for first. */
  name: string;
  servers: number;
  resources: number;
  /** Over the network, where the recording says so. */
  bytes: number;
  /** From the first request to the end of the last answer; null where the recording has no times. */
  loadSeconds: number | null;
  /** Of the servers that most was asked of: which share of all resources the first, the first two and so on have. */
  topShares: number[];
  /** Of the same servers: the quickest TCP handshake, milliseconds; null where none was recorded. */
  topRttMs: (number | null)[];
}

export const topServers = 5;

/** A row a page: a recording may have several. */
export function surveyOf(entries: readonly HarEntry[]): SurveyedPage[] {
  const asked = entries.filter(({ request }) => /^https?:/.test(request.url));
  const pages = grouped(asked, ({ pageref }) => pageref ?? "");
  return pages.map(pageOf);
}

/** In the order of the first of each. */
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

/** Header and body, as they came; -1 is "not known". */
function bytesOf({ response }: HarEntry): number {
  const { _transferSize: transferred, headersSize, bodySize, content } = response;
  if (transferred != null && transferred >= 0) return transferred;
  const body = bodySize != null && bodySize >= 0 ? bodySize : (content?.size ?? 0);
  return body + Math.max(0, headersSize ?? 0);
}

/** Connecting is TCP's handshake, and TLS's, which the recording tells apart (HAR 1.2, "timings"). */
function rttOf(entries: readonly HarEntry[]): number | null {
  const handshakes = entries.flatMap(({ timings }) => {
    const { connect, ssl } = timings ?? {};
    return connect != null && connect > 0 ? [connect - Math.max(0, ssl ?? 0)] : [];
  });
  return handshakes.length ? Math.min(...handshakes) : null;
}
