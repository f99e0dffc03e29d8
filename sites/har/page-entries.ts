/** Finds the page among a recording's entries: the first page load that has a document, and this document. */
import { isHtmlType } from "../imported/text-encoding.ts";
import type { HarEntry } from "./har-entry.ts";
import { normalUrl } from "./recorded-url.ts";
import { grouped, isThere, mergedByUrl, redirectsOf } from "./same-url.ts";

export interface PageEntries {
  document: HarEntry;
  /** Entries of the document's page load, in the order of their requests. */
  entries: readonly HarEntry[];
  title: string | null;
}

/** @param ordered the entries, sorted by their start @returns the page, or the reason why there is no page */
export function pageOf(
  ordered: readonly HarEntry[],
  titles: ReadonlyMap<string, string>,
): PageEntries | { none: string } {
  const byPage = grouped(ordered, ({ page }) => page ?? "");
  const pages = [...byPage.keys()].filter((page) => page !== "").slice(0, mostPages);
  const reasons: string[] = [];
  for (const page of pages.length ? pages : [""]) {
    const entries = byPage.size === 1 ? ordered : ordered.filter((one) => one.page === null || one.page === page);
    const title = titles.get(page) ?? (titles.size === 1 ? [...titles.values()][0]! : null);
    const document = documentOf(entries, title);
    if ("url" in document) return { document, entries, title };
    reasons.push(document.none);
  }
  return { none: reasons[0]! };
}

/** The search for a document ends after this many page loads, because the recording is then probably not of web pages. */
const mostPages = 100;

/** Finds the first HTML, after redirects. If a navigation failed, HTML from another site is only a frame or an advertisement in the failed page. */
function documentOf(entries: readonly HarEntry[], title: string | null): HarEntry | { none: string } {
  const merged = mergedByUrl(entries);
  const redirects = redirectsOf(merged.values());
  const all = [...merged.values()];
  const starts = startsOf(all, merged, title);
  let failed: FailedNavigation | null = null;
  for (const start of starts) {
    const target = redirects.endOf(start.url.href);
    const end = merged.get(target ?? "");
    if (failed && !isSameSite(failed.url, (end ?? start).url)) continue;
    const isNavigation = start.isNavigation || (start === starts[0] && isLikeNavigation(start));
    if (end && isDocument(end, isNavigation)) return { ...end, type: end.type || "text/html" };
    const failure = isNavigation ? (end ? failureOf(end) : lostRedirect(start.url, target)) : null;
    const isElsewhere = ({ url }: HarEntry) => redirects.endOf(url.href) !== target;
    if (failure && (start.isNavigation || isOfPage(failure, start, all, isElsewhere))) failed ??= failure;
  }
  const why = failed ? `; ${failed.what}; if this URL is not the page's, remove its entry from the HAR` : "";
  return { none: `has no HTML document with status 200 from which a page could start${why}` };
}

/** Lists candidates for the navigation: first the entry whose URL is the page's title, then navigations, then all others except frames. */
function startsOf(all: HarEntry[], merged: ReadonlyMap<string, HarEntry>, title: string | null): HarEntry[] {
  const titled = merged.get(normalUrl(title ?? "")?.href ?? "");
  const others = all.filter(({ isFrame }) => !isFrame);
  const navigations = others.filter(({ isNavigation }) => isNavigation);
  return [...new Set([...(titled ? [titled] : []), ...navigations, ...others])];
}

/** Whether a candidate that no field marks as a navigation looks like one. Recordings of proxies may begin with requests of other programs. */
const isLikeNavigation = ({ method, type, redirect, status }: HarEntry): boolean =>
  isHtmlType(type) || status >= 400 || (method === "GET" && (type === "" || redirect !== null));

/** A navigation without a document: where it ended, and how. */
interface FailedNavigation {
  url: URL;
  what: string;
  /** Whether the navigation's last response is missing in the recording. */
  isLost: boolean;
}

/** @returns null for 204 and 205, after which a browser stays on its current page */
function failureOf({ url, status, type }: HarEntry): FailedNavigation | null {
  if (isEmptyStatus(status)) return null;
  if (status <= 0) return { url, what: `${url.href} has no response`, isLost: true };
  const isOther = status === 200 && type !== "";
  const what = isOther ? `${url.href} has the type ${type}` : `the status of ${url.href} is ${status}`;
  return { url, what, isLost: false };
}

const lostRedirect = (url: URL, target: string | null): FailedNavigation =>
  target === null
    ? { url, what: `${url.href} redirects in a loop`, isLost: true }
    : { url: new URL(target), what: `${url.href} redirects to ${target}, which was not recorded`, isLost: true };

/** Whether a failed navigation is the page's, not another program's. If `isLost`, an entry that leads elsewhere must be of the same site. */
const isOfPage = (
  { url, isLost }: FailedNavigation,
  start: HarEntry,
  all: readonly HarEntry[],
  isElsewhere: (entry: HarEntry) => boolean,
): boolean =>
  !isLost || all.some((one) => isElsewhere(one) && (isSameSite(one.url, url) || isSameSite(one.url, start.url)));

const isEmptyStatus = (status: number): boolean => status === 204 || status === 205;

/** @param isFirst whether a response without a type may be the document, because the browser navigated to it */
function isDocument(entry: HarEntry, isFirst: boolean): boolean {
  return isThere(entry) && !isEmptyStatus(entry.status) && (isHtmlType(entry.type) || (isFirst && entry.type === ""));
}

const isSameSite = (a: URL, b: URL): boolean => a.host === b.host || siteOf(a.hostname) === siteOf(b.hostname);

/** Returns the last two labels of the host name, or three for names like example.co.uk. */
const siteOf = (hostname: string): string => {
  const labels = hostname.split(".");
  const isShort = (labels.at(-2)?.length ?? 9) <= 3 && (labels.at(-1)?.length ?? 9) === 2;
  return labels.slice(isShort ? -3 : -2).join(".");
};
