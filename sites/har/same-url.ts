/** Chooses one of a URL's entries. Producers also record cancelled, refused and revalidated requests, and requests for a part of the file. */
import type { HarEntry } from "./har-entry.ts";
import { Redirects } from "./redirects.ts";

export function grouped<Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => string): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const one of entries) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

export const mergedByUrl = (entries: readonly HarEntry[]): Map<string, HarEntry> =>
  new Map([...grouped(entries, ({ url }) => url.href)].map(([url, same]) => [url, mergedEntry(same)]));

const hasContent = ({ text, bodyBytes, wireBytes }: HarEntry): boolean =>
  text !== null || Boolean(bodyBytes || wireBytes);

/** Whether there was a response. Some recordings have no status for pushed responses. */
export const isAnswered = (entry: HarEntry): boolean => entry.status > 0 || (entry.isPushed && hasContent(entry));

/** Whether the recorded server had the file. If not, the page has no such file, and the lab's servers respond with 404. */
export const isThere = (entry: HarEntry): boolean =>
  (entry.status >= 200 && entry.status < 300) || entry.status === 304 || (entry.status <= 0 && isAnswered(entry));

const isRedirect = ({ redirect, url }: HarEntry): boolean => redirect !== null && redirect.href !== url.href;

export const redirectsOf = (merged: Iterable<HarEntry>): Redirects =>
  new Redirects(new Map([...merged].flatMap((one) => (one.redirect ? [[one.url.href, one.redirect.href]] : []))));

/** From best to worst: a body from the network, a body from a cache, only a size, only a part, a response without content, a redirect, no file. */
function rank(entry: HarEntry): number {
  if (!isThere(entry)) return isRedirect(entry) ? 1 : 0;
  if (!hasContent(entry)) return 2;
  if (entry.range !== null) return 3;
  if (entry.text === null) return 4;
  return entry.isCached ? 5 : 6;
}

/** Returns the first of the best entries. Other methods than GET count only if no GET got the file or a redirect. @param all at least one */
function mergedEntry(all: readonly HarEntry[]): HarEntry {
  const gets = all.filter(({ method }) => method === "GET");
  const same = gets.some((one) => isThere(one) || isRedirect(one)) ? gets : all;
  const best = same.reduce((found, one) => (rank(one) > rank(found) ? one : found));
  if (best.range !== null) return withAllParts(best, same);
  const fromNetwork = same.find((one) => isThere(one) && one.range === null && one.wireBytes);
  return {
    ...best,
    wireBytes: best.wireBytes ?? (best.isCached ? (fromNetwork?.wireBytes ?? null) : null),
    isPushed: same.some(({ isPushed }) => isPushed),
  };
}

/** If only parts of a file were loaded, the file's size becomes the sum of the parts, because the network carried only these parts. */
function withAllParts(best: HarEntry, same: readonly HarEntry[]): HarEntry {
  const ranges = same.filter((one) => isThere(one) && one.range !== null);
  const parts = new Map(ranges.map((one) => [one.range || one.number, one]));
  const sizes = [...parts.values()].map(({ wireBytes, bodyBytes }) => wireBytes ?? bodyBytes ?? 0);
  const bytes = sizes.reduce((sum, one) => sum + one, 0);
  return { ...best, wireBytes: bytes, bodyBytes: bytes };
}
