/** Computes statistics of recorded pages, as in the website survey in section 4 of draft-white-httpbis-spdy-analysis-00. */
import type { HarEntry } from "./har-entry.ts";
import { grouped } from "./same-url.ts";

export interface SurveyedPage {
  /** The host of the first request. */
  name: string;
  servers: number;
  resources: number;
  /** Bytes on the network, as far as the recording has them. */
  bytes: number;
  /** The time from the first request to the end of the last response; null if no entry has a time. Entries without a time are skipped. */
  loadSeconds: number | null;
  /** Shares of all resources: first of the server with the most requests, then of the top two servers together, and so on. */
  topShares: number[];
  /** The fastest TCP handshake of each top server; null if no handshake was recorded. */
  topRttMs: (number | null)[];
}

export const topServers = 5;

/** Computes a row for each page of a recording. @param entries the entries in the order of their starts */
export const surveyOf = (entries: readonly HarEntry[]): SurveyedPage[] =>
  [...grouped(entries, ({ page }) => page ?? "").values()].map(pageOf);

function pageOf(entries: readonly HarEntry[]): SurveyedPage {
  const byHost = [...grouped(entries, hostOf).values()].sort((a, b) => b.length - a.length);
  const top = byHost.slice(0, topServers);
  const first = known(entries.map(({ startMs }) => startMs)).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const last = known(entries.map(({ endMs }) => endMs)).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const loadMs = last - first;
  return {
    name: hostOf(entries[0]!),
    servers: byHost.length,
    resources: entries.length,
    bytes: entries.reduce((sum, one) => sum + one.transferredBytes, 0),
    loadSeconds: Number.isFinite(loadMs) ? loadMs / 1000 : null,
    topShares: Array.from(
      { length: topServers },
      (_, i) => top.slice(0, i + 1).reduce((sum, host) => sum + host.length, 0) / entries.length,
    ),
    topRttMs: top.map(rttOf),
  };
}

const known = (times: readonly number[]) => times.filter((ms) => !Number.isNaN(ms));

const hostOf = ({ url }: HarEntry): string => url.host;

function rttOf(entries: readonly HarEntry[]): number | null {
  const handshakes = entries.flatMap(({ handshakeMs }) => handshakeMs ?? []);
  return handshakes.length ? handshakes.reduce((a, b) => Math.min(a, b)) : null;
}
