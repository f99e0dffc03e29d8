/** Makes the content of a recording from a HAR: every response of its page, including redirects, error responses and responses to POSTs. */
import { isCompressible } from "../../schema/compression.ts";
import { fillerOf, madeHtml, padded } from "../har/body-filler.ts";
import { type FilePlan, planFiles } from "../har/file-plan.ts";
import { readHarEntries } from "../har/har-entries.ts";
import type { HarEntry } from "../har/har-entry.ts";
import { namesOf } from "../har/names.ts";
import { pageIn, type Recorded, recordedOf } from "../har/read-har.ts";
import { isHostName } from "../har/recorded-url.ts";
import { leastCopiedBytes } from "../imported/compressed-copies.ts";
import { codingFor, compressedNear } from "./content-coding.ts";
import { aboutHar, type HarExchange } from "./har-left-out.ts";
import { namesInHar } from "./har-names.ts";
import { headerIn, type Seen, type SeenExchange } from "./seen-exchange.ts";

const notModified = 304;

/** @throws LabError (usage) for a file that is not a HAR, is incomplete, is too large or has no page */
export function readHarAsRecorded(file: string): Seen {
  const har = readHarEntries(file);
  const { document, entries, title } = pageIn(har, file);
  const kept = keptOf(entries, document);
  const firstMs = kept.find(({ startMs }) => Number.isFinite(startMs))?.startMs ?? Date.now();
  const recorded = new Map(kept.map((entry) => [entry, recordedOf(entry, 0, true)]));
  const withBody = [...recorded].filter(([entry]) => mayHaveBody(entry));
  const start =
    recorded.get(kept.find(({ number }) => number === document.number) ?? document) ?? recordedOf(document, 0, true);
  const all = withBody.map(([, one]) => one);
  const paths = namesOf(all, start);
  const plans = planFiles(file, all, ({ url }) => paths.get(url) ?? "");
  const exchanges = [...recorded].map(([entry, one]): HarExchange => {
    const plan = plans.get(one);
    const content = plan ? contentOf(one, plan, paths.get(one.url) ?? "", { start, title, all }) : Buffer.alloc(0);
    const { headers, body } = sentAs(entry, content, plan);
    const { method, sent, waitMs } = entry;
    const startMs = Number.isFinite(entry.startMs) ? Math.max(0, entry.startMs - firstMs) : 0;
    const wait = waitMs !== null && waitMs >= 0 ? waitMs : null;
    const status = entry.status === notModified ? 200 : entry.status;
    const exchange = { method, url: one.url, sent, status, headers, body, waitMs: wait, startMs };
    const isCut = Boolean(plan && one.body && plan.bytes > one.body.length);
    return { entry, exchange, isCut, content, ...(plan && { plan }) };
  });
  return {
    url: firstUrl(kept, document),
    recordedAt: new Date(firstMs),
    recordedBy: har.creator || "a HAR of an unknown program",
    exchanges: exchanges.map(({ exchange }) => exchange),
    names: namesInHar(kept),
    leftOut: [...har.leftOut.sentences(), ...aboutHar(har.entries, entries, exchanges)],
  };
}

/** Selects entries with a response from the network. A cached response is kept if the network did not respond to the same request. */
function keptOf(entries: readonly HarEntry[], document: HarEntry): HarEntry[] {
  const isUsable = ({ status, url }: HarEntry) => status >= 200 && status <= 599 && isHostName(url.hostname);
  const requestOf = ({ method, url }: HarEntry) => `${method} ${url.href}`;
  const fromNetwork = new Set(entries.filter((one) => isUsable(one) && !one.isCached).map(requestOf));
  const taken = new Set<string>();
  return entries.flatMap((one) => {
    if (one.number === document.number) return [{ ...document, method: "GET", status: document.status || 200 }];
    if (!isUsable(one)) return [];
    if (!one.isCached) return [one];
    if (fromNetwork.has(requestOf(one)) || taken.has(requestOf(one))) return [];
    taken.add(requestOf(one));
    return [one];
  });
}

const mayHaveBody = ({ method, status, redirect, text, wireBytes }: HarEntry): boolean =>
  method !== "HEAD" &&
  status >= 200 &&
  status !== 204 &&
  (redirect === null || text !== null) &&
  !(status >= 400 && text === null && !wireBytes);

interface Page {
  start: Recorded;
  title: string | null;
  all: readonly Recorded[];
}

function contentOf(one: Recorded, plan: FilePlan, path: string, { start, title, all }: Page): Buffer {
  if (one.body) return padded(one.body, plan.bytes - one.body.length, one.type, path, plan);
  if (one !== start) return fillerOf(one.type, path, plan);
  const others = all.filter((other) => other !== start && other.method === "GET");
  return madeHtml(
    title ?? start.url,
    others.map(({ url, type }) => ({ url, type })),
    plan,
  );
}

/** Returns the headers and the body of a response as it was sent: encodes the body again, because a HAR has the decoded body. */
function sentAs(entry: HarEntry, content: Buffer, plan?: FilePlan): Pick<SeenExchange, "headers" | "body"> {
  const recorded = recordedHeaders(entry);
  const isCoding = ([name]: readonly [string, string]) => name.toLowerCase() === "content-encoding";
  const headers = recorded.filter((one) => !isCoding(one));
  const wireBytes = plan?.wireBytes ?? null;
  if (content.length === 0 || !(entry.isCoded ?? wasCoded(entry, content.length, wireBytes)))
    return { headers, body: content };
  const coding = codingFor(headerIn(recorded, "content-encoding") ?? "gzip");
  return { headers: [...headers, ["content-encoding", coding]], body: compressedNear(content, coding, wireBytes) };
}

/** If no headers were recorded, adds the type and a redirect's target from other fields. A 304 whose headers lack the type gets the type, too. */
function recordedHeaders({ headers, status, type, charset, redirect }: HarEntry): SeenExchange["headers"] {
  const isUntyped = headers.length === 0 || (status === notModified && !headerIn(headers, "content-type"));
  const typed: SeenExchange["headers"] = [["content-type", charset ? `${type}; charset=${charset}` : type]];
  const moved: SeenExchange["headers"] = redirect && !headers.length ? [["location", redirect.href]] : [];
  return [...headers, ...(isUntyped && type ? typed : []), ...moved];
}

/** Whether a 304 or a response without headers was probably compressed: a text, smaller on the network or, if that size is unknown, not small. */
const wasCoded = ({ type }: HarEntry, bytes: number, wireBytes: number | null): boolean =>
  (isCompressible(type) || /javascript$/.test(type)) &&
  (wireBytes === null ? bytes >= leastCopiedBytes : wireBytes < smallerShare * bytes);
const smallerShare = 0.95;

/** Finds the URL at which the redirects to the document begin. */
function firstUrl(entries: readonly HarEntry[], document: HarEntry): string {
  let { href } = document.url;
  const walked = new Set<string>();
  for (;;) {
    walked.add(href);
    const before = entries.find(
      ({ method, redirect, url }) => method === "GET" && redirect?.href === href && !walked.has(url.href),
    );
    if (!before) return href;
    href = before.url.href;
  }
}
