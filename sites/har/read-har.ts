/** Reads a recording of a page load: the page's document, and one response for each URL. */
import { usageError } from "../../schema/errors.ts";
import { bytesAlone, textAlone, textWithHeader } from "../imported/text-encoding.ts";
import { type HarEntries, readHarEntries } from "./har-entries.ts";
import type { HarEntry } from "./har-entry.ts";
import { type PageEntries, pageOf } from "./page-entries.ts";
import { isHostName, quoted } from "./recorded-url.ts";
import { isAnswered, isThere, mergedByUrl } from "./same-url.ts";

/** A request of the page with its response. */
export interface Recorded extends Omit<HarEntry, "url" | "redirect" | "text"> {
  url: string;
  host: string;
  redirect: string | null;
  isThere: boolean;
  /** The body without content coding, in the character encoding in which browsers will read the body; null if no body was recorded. */
  body: Buffer | null;
  /** How long the server took before it responded; 0 if the recording does not have this time. */
  serverMs: number;
}

export interface Recording {
  title: string | null;
  start: Recorded;
  /** Includes `start`. */
  recorded: Recorded[];
  /** Sentences about entries that are left out. */
  sentences: string[];
}

/** @throws LabError (usage) for a file that is not a HAR, is incomplete, is too large or has no page */
export function readHar(file: string): Recording {
  const har = readHarEntries(file);
  const { document, entries, title } = pageIn(har, file);
  const counting = countingOf(har, entries, document);
  for (const { url, number } of counting)
    if (!isHostName(url.hostname))
      throw usageError(`${file}: entry ${number}: ${quoted(url.host)} responded, but is not a valid host name`);
  const rttMs = shortestRttMs(entries);
  const recorded = counting.map((one) => recordedOf(one.url.href === document.url.href ? document : one, rttMs, false));
  return {
    title,
    start: recorded.find(({ number }) => number === document.number)!,
    recorded,
    sentences: har.leftOut.sentences(),
  };
}

/** @throws LabError (usage) for a recording without a page */
export function pageIn(har: HarEntries, file: string): PageEntries {
  const page = pageOf(har.entries, har.titles);
  if ("none" in page) throw usageError([`${file} ${page.none}`, ...har.leftOut.sentences()].join("\n"));
  return page;
}

/** Returns the entry that is used for each URL. All other entries are reported as left out. */
function countingOf({ entries, leftOut }: HarEntries, ofPage: readonly HarEntry[], document: HarEntry): HarEntry[] {
  const inPage = new Set(ofPage);
  for (const { number } of entries.filter((one) => !inPage.has(one))) leftOut.add("part of another page load", number);
  // The document is always used, whatever its request's method.
  const usable = ofPage.filter(({ method, url }) => method === "GET" || url.href === document.url.href);
  for (const { method, number, url } of ofPage)
    if (method !== "GET" && url.href !== document.url.href) leftOut.add("not a GET over HTTP", number);
  const merged = [...mergedByUrl(usable).values()];
  const numbers = new Set(merged.map(({ number }) => number));
  for (const { number } of usable)
    if (!numbers.has(number)) leftOut.add("replaced by another entry for the same URL", number);
  for (const { number } of merged.filter((one) => !isAnswered(one))) leftOut.add("no response was recorded", number);
  return merged.filter(isAnswered);
}

/** The shortest TCP handshake; without one, the shortest connect or wait time, which takes at least one round trip; Infinity without any time. */
function shortestRttMs(entries: readonly HarEntry[]): number {
  const handshakes = entries.map(({ handshakeMs }) => handshakeMs);
  const longer = entries.flatMap(({ connectMs, waitMs }) => [connectMs, waitMs]);
  const [known = []] = [handshakes, longer]
    .map((some) => some.filter((ms) => ms !== null && ms > 0))
    .filter((some) => some.length);
  return known.reduce<number>((shortest, ms) => Math.min(shortest, ms!), Number.POSITIVE_INFINITY);
}

/** @param rttMs is subtracted from the wait for the first byte @param keepsHeader whether the recorded header is sent; it may name an encoding */
export function recordedOf(one: HarEntry, rttMs: number, keepsHeader: boolean): Recorded {
  const { text, redirect, ...entry } = one;
  return {
    ...entry,
    url: entry.url.href,
    host: entry.url.host,
    isThere: isThere(one),
    redirect: redirect?.href ?? null,
    body: bodyOf(one, keepsHeader),
    serverMs: Math.max(0, Math.round((entry.waitMs ?? 0) - rttMs)),
  };
}

function bodyOf(one: HarEntry, keepsHeader: boolean): Buffer | null {
  if (one.text === null) return null;
  if (!one.isBase64) return keepsHeader ? textWithHeader(one.text, one) : textAlone(one.text, one);
  const body = Buffer.from(one.text, "base64");
  return keepsHeader ? body : bytesAlone(body, one);
}
