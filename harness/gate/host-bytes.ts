/** Counts the bytes from each host of a page. The hosts are those in the page's page.yml. */
import type { Evidence } from "../../schema/evidence.ts";
import { hostKeysOf } from "../../sites/imported/imported-page.ts";
import { importedFile } from "../../sites/paths.ts";
import { median } from "../statistics/quantile.ts";

/** A folder or file of the page -> the number of the host that serves it. */
export type PageHosts = Readonly<Record<string, number>>;

export interface HostBytes {
  /** "cdn.example.com" for a HAR, else the folders and files that the host serves; null for the page's own host. */
  host: string | null;
  /** Medians; null where there is no page to compare with. */
  beforeBytes: number | null;
  afterBytes: number;
}

interface Side {
  hosts: PageHosts;
  evidence: readonly Evidence[];
}

/** @returns the hosts, those with the most bytes first; empty if both pages have one host only */
export function hostBytesOf(before: Side | null, after: Side): HostBytes[] {
  const [from, to] = [before && bytesOf(before), bytesOf(after)];
  const names = [...new Set([...to.keys(), ...(from?.keys() ?? [])])];
  if (names.length < 2) return [];
  return names
    .map((host) => ({ host, beforeBytes: from && (from.get(host) ?? 0), afterBytes: to.get(host) ?? 0 }))
    .sort((a, b) => b.afterBytes - a.afterBytes);
}

function bytesOf({ hosts, evidence }: Side): Map<string | null, number> {
  const names = new Map(Object.entries(hosts).map(([key, number]) => [key, nameOf(number, hosts)]));
  const sums = evidence.map(({ connections }) => {
    const sum = new Map<string | null, number>();
    for (const { path, bytes } of connections.flatMap(({ requests }) => requests)) {
      const key = hostKeysOf(importedFile(path)).find((one) => names.has(one));
      const host = (key !== undefined && names.get(key)) || null;
      sum.set(host, (sum.get(host) ?? 0) + bytes);
    }
    return sum;
  });
  const all = new Set(sums.flatMap((sum) => [...sum.keys()]));
  return new Map([...all].map((host) => [host, median(sums.map((sum) => sum.get(host) ?? 0))]));
}

/** The files of a HAR's host are in a folder with the host's name. */
function nameOf(number: number, hosts: PageHosts): string | null {
  if (number === 1) return null;
  return Object.keys(hosts)
    .filter((key) => hosts[key] === number)
    .map((key) => key.replace(/\/$/, ""))
    .join(", ");
}
