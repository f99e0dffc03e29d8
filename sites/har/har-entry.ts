/** Reads an entry of a HAR leniently: a field with a wrong type counts as missing, and the rest of the entry is used. */
import { extname } from "node:path";
import { mimes } from "mrmime";
import { z } from "zod";
import { tokenPattern } from "../../schema/http-token.ts";
import { type EntrySizes, type RecordedSizes, sizesOf } from "./entry-sizes.ts";
import { mediaTypeOf } from "./media-type.ts";
import { isHttp, normalUrl, quoted } from "./recorded-url.ts";

/** Some producers write numbers as texts. */
const number = z
  .preprocess((value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value), z.number())
  .nullish()
  .catch(null);
const text = z.string().nullish().catch(null);
const headers = z
  .array(z.looseObject({ name: z.string(), value: z.string() }).nullable().catch(null))
  .nullish()
  .catch(null);
const lenient = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape).nullish().catch(null);

const rawEntry = z.looseObject({
  startedDateTime: z.union([z.string(), z.number()]).nullish().catch(null),
  pageref: z.union([z.string(), z.number()]).nullish().catch(null),
  time: number,
  timings: lenient({ connect: number, ssl: number, wait: number }),
  request: lenient({ method: text, url: text, headers, postData: lenient({ text, encoding: text }) }),
  response: lenient({
    status: number,
    redirectURL: text,
    httpVersion: text,
    headers,
    headersSize: number,
    bodySize: number,
    _transferSize: number,
    content: lenient({ size: number, compression: number, mimeType: text, text, encoding: text }),
  }),
  cache: lenient({ beforeRequest: z.unknown().optional() }),
  serverIPAddress: text,
  connection: z.union([z.string(), z.number()]).nullish().catch(null),
  _bytesIn: number,
  _objectSize: number,
  _objectSizeUncompressed: number,
  _fromCache: z.unknown().optional(),
  _fetchedViaServiceWorker: z.unknown().optional(),
  _fetchType: text,
  _resourceType: text,
  _was_pushed: z.unknown().optional(),
});
type RawEntry = z.infer<typeof rawEntry>;
type RawResponse = NonNullable<RawEntry["response"]>;

/** A request and its response, in one form for all producers. */
export interface HarEntry extends EntrySizes {
  /** The entry's number in the HAR, from 1. */
  number: number;
  /** The id of the recording's page to which the entry belongs. */
  page: string | null;
  /** When the request started and when the response ended; NaN if this was not recorded. */
  startMs: number;
  endMs: number;
  method: string;
  url: URL;
  /** The response's status; 0 or less if there was no response. */
  status: number;
  isPushed: boolean;
  isCached: boolean;
  /** Whether the header Sec-Fetch-Dest says that the document of a frame or object is requested. */
  isFrame: boolean;
  /** Whether the browser requested the URL as the document of a page or frame. */
  isNavigation: boolean;
  /** The media type without parameters, such as "text/html"; empty if it was not recorded. */
  type: string;
  charset: string | null;
  redirect: URL | null;
  /** The decoded body, or its base64. */
  text: string | null;
  isBase64: boolean;
  /** The byte range, if the server sent only a part of the file ("" if the range was not recorded); otherwise null. */
  range: string | null;
  /** The time of the TCP handshake alone; null if it was not recorded. */
  handshakeMs: number | null;
  /** The time of the TCP handshake, and of the TLS handshake if there is one. */
  connectMs: number | null;
  waitMs: number | null;
  /** The response's headers in their order; empty if they were not recorded. */
  headers: [name: string, value: string][];
  /** The request's body; empty if there was none. */
  sent: Buffer;
  /** The server's address, and the recording's name for the connection; null if they were not recorded. */
  address: string | null;
  connection: string | null;
}

/** @param producer the HAR's creator @returns the reason to leave the entry out, if it is not a readable HTTP request */
export function readEntry(value: unknown, place: number, producer: string): HarEntry | { leftOut: string } {
  const { success, data: raw } = rawEntry.safeParse(value);
  if (!success || !raw.request) return { leftOut: "no request was recorded" };
  const recordedUrl = raw.request.url ?? "";
  const url = normalUrl(recordedUrl);
  if (!url) return { leftOut: `its URL is invalid (${quoted(recordedUrl)})` };
  if (!isHttp(url)) return { leftOut: "not a GET over HTTP" };
  const { response } = raw;
  const method = (raw.request.method || "GET").toUpperCase();
  if (!tokenPattern.test(method)) return { leftOut: `its method is invalid (${quoted(method)})` };
  const status = Number.isInteger(response?.status) ? response!.status! : 0;
  const startMs = timeOf(raw.startedDateTime);
  const header = headersOf(response?.headers);
  const requested = headersOf(raw.request.headers);
  const destination = requested("sec-fetch-dest") ?? "";
  const isBase64 = /^base64$/i.test(response?.content?.encoding ?? "");
  const body = response?.content?.text || null;
  const { type, charset } = mediaTypeOf([response?.content?.mimeType, contentTypesOf(response)]);
  const isCached = status === 304 || isFromCache(raw);
  return {
    number: place,
    page: raw.pageref == null || raw.pageref === "" ? null : String(raw.pageref),
    startMs,
    endMs: raw.time != null && raw.time >= 0 ? startMs + raw.time : Number.NaN,
    method,
    url,
    status,
    isPushed: isSet(raw._was_pushed),
    isCached,
    isFrame: ["iframe", "frame", "embed", "object"].includes(destination),
    isNavigation: destination === "document" || /^document$/i.test(raw._resourceType ?? ""),
    type: type || typeByContent(body, isBase64) || (mimes[extname(url.pathname).slice(1).toLowerCase()] ?? ""),
    charset,
    redirect: status >= 300 && status < 400 && status !== 304 ? targetOf(response, header, url) : null,
    text: body,
    isBase64,
    range: status === 206 ? (header("content-range") ?? requested("range") ?? "") : null,
    handshakeMs: handshakeOf(raw, url, producer),
    connectMs: raw.timings?.connect ?? null,
    waitMs: raw.timings?.wait ?? null,
    headers: response?.headers?.flatMap((one): [string, string][] => (one ? [[one.name, one.value]] : [])) ?? [],
    sent: sentIn(raw.request.postData),
    address: raw.serverIPAddress || null,
    connection: raw.connection == null || raw.connection === "" ? null : String(raw.connection),
    ...sizesOf(recordedSizes(raw, { status, isCached, producer, header })),
  };
}

function recordedSizes(
  raw: RawEntry,
  known: { status: number; isCached: boolean; producer: string; header: Header },
): RecordedSizes {
  const { response } = raw;
  const { status, isCached, producer, header } = known;
  return {
    status,
    isCached,
    isCoded: isCoded(response, header),
    transferSize: response?._transferSize ?? null,
    bytesIn: raw._bytesIn ?? null,
    objectSize: raw._objectSize ?? null,
    objectSizeUncompressed: raw._objectSizeUncompressed ?? null,
    headersSize: response?.headersSize ?? null,
    listedHeaderBytes: listedHeaderBytes(response),
    bodySize: bodySizeOf(response, producer),
    contentSize: response?.content?.size ?? null,
    compression: response?.content?.compression ?? null,
    contentLength: lengthOf(header("content-length")),
  };
}

const sentIn = (post: NonNullable<RawEntry["request"]>["postData"]): Buffer =>
  Buffer.from(post?.text ?? "", /^base64$/i.test(post?.encoding ?? "") ? "base64" : "utf8");

type Header = (name: string, meaningless?: string) => string | undefined;
const headersOf = (list: RawResponse["headers"]): Header => {
  const values = new Map(list?.flatMap((one) => (one ? [[one.name.toLowerCase(), one.value.trim()] as const] : [])));
  return (name, meaningless) => {
    const value = values.get(name);
    return value && value.toLowerCase() !== meaningless ? value : undefined;
  };
};

/** Whether a flag is set. "0" and "false" count as not set, because some producers write texts. */
const isSet = (value: unknown): boolean => Boolean(value) && value !== "0" && value !== "false";

/** `cache.beforeRequest` means that the cache had an entry (HAR 1.2) or responded (chrome-har, HTTPWatch). It counts only if `bodySize` <= 0. */
const isFromCache = ({ cache, response, _fromCache, _fetchedViaServiceWorker, _fetchType }: RawEntry): boolean =>
  isSet(_fromCache) ||
  isSet(_fetchedViaServiceWorker) ||
  /cache|service worker/i.test(_fetchType ?? "") ||
  (cache?.beforeRequest != null && cache.beforeRequest !== false && (response?.bodySize ?? 0) <= 0);

function isCoded(response: RawEntry["response"], header: Header): boolean | null {
  if (header("content-encoding", "identity") !== undefined) return true;
  return response?.headers?.length && response.status !== 304 ? false : null;
}

/** @param time a text, with or without zone and fraction, or milliseconds @returns NaN if invalid or after 9999, the last year of JSON dates */
function timeOf(time: RawEntry["startedDateTime"]): number {
  const ms = typeof time === "number" ? time : Date.parse((time ?? "").replace(/(\d),(\d)/, "$1.$2"));
  return ms >= 0 && ms < yearTenThousandMs ? ms : Number.NaN;
}
const yearTenThousandMs = Date.UTC(10_000, 0);

/** `connect` is TCP and TLS together, and `ssl` is TLS (HAR 1.2, "timings"). For mitmproxy and for http: URLs, `connect` is TCP only. */
function handshakeOf({ timings }: RawEntry, { protocol }: URL, producer: string): number | null {
  const [connect, ssl] = [timings?.connect ?? -1, timings?.ssl ?? -1];
  const isTcpAlone = protocol === "http:" || /mitmproxy/i.test(producer);
  if (!isTcpAlone && ssl <= 0) return null;
  const ms = isTcpAlone ? connect : connect - ssl;
  return ms > 0 ? ms : null;
}

/** Joins all Content-Type headers, because several headers with the same name form one list (RFC 9110, section 5.3). */
const contentTypesOf = (response: RawEntry["response"]): string | undefined =>
  response?.headers?.flatMap((one) => (one && /^content-type$/i.test(one.name) ? [one.value] : [])).join(", ");

/** Detects HTML in a body without a recorded type, as browsers do in the most frequent cases (MIME Sniffing, section 7.1). */
function typeByContent(text: string | null, isBase64: boolean): string {
  const start = isBase64 ? Buffer.from((text ?? "").slice(0, 1024), "base64").toString("latin1") : (text ?? "");
  return /^\W{0,3}\s*(<!--[^>]*>\s*)*<(!doctype html|html|head|body|title)\b/i.test(start.slice(0, 512))
    ? "text/html"
    : "";
}

/** Some producers leave `redirectURL` empty but record the Location header. */
function targetOf(response: RawEntry["response"], header: Header, from: URL): URL | null {
  const location = response?.redirectURL || header("location");
  const to = location ? normalUrl(location, from.href) : null;
  return to && isHttp(to) ? to : null;
}

function listedHeaderBytes(response: RawEntry["response"]): number | null {
  if (!/^http\/1/i.test(response?.httpVersion ?? "") || !response?.headers?.length) return null;
  const bytes = response.headers.map((one) => (one ? one.name.length + one.value.length + 4 : 0));
  return bytes.reduce((sum, one) => sum + one, 20);
}

/** Firefox includes the headers in `bodySize`. */
function bodySizeOf(response: RawEntry["response"], producer: string): number | null {
  const [body, headers] = [response?.bodySize ?? null, response?.headersSize ?? 0];
  return /firefox/i.test(producer) && body !== null && headers > 0 && body > headers ? body - headers : body;
}

const lengthOf = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : null;
