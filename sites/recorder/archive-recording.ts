/** Makes the content of a recording from an archive of HTTP messages. Such archives have neither an order nor times. */
import { usageError } from "../../schema/errors.ts";
import { parsedUrl } from "../../schema/parsed-url.ts";
import { counted } from "../../schema/words.ts";
import { isHostName, quoted } from "../har/recorded-url.ts";
import { type ArchivedExchange, startsOf } from "./archive-start.ts";
import { readMessage } from "./raw-http.ts";
import { headerIn, type Seen, type SeenExchange } from "./seen-exchange.ts";

/** A request and its response, as HTTP/1.1 messages. */
export interface ArchivedMessages {
  url: string;
  request: Buffer;
  /** Empty if the request failed. */
  response: Buffer;
}

export interface Archive {
  /** The archive's name in messages. */
  file: string;
  recordedBy: string;
  /** What archives of this program lack, as part of a sentence. */
  lacks: string;
  messages: Iterable<ArchivedMessages>;
}

/** @param start the page's URL; without it, the archive must have one page @throws LabError (usage) */
export function recordingOfArchive({ file, recordedBy, lacks, messages }: Archive, start?: string): Seen {
  const leftOut = new Map<string, string[]>();
  const leave = (why: string, url: string) => leftOut.set(why, [...(leftOut.get(why) ?? []), url]);
  const all: ArchivedExchange[] = [];
  for (const one of messages) {
    const read = exchangeOf(one);
    if ("leftOut" in read) leave(read.leftOut, one.url);
    else all.push(read.exchange);
    if ("isCut" in read && read.isCut) leave("the body of its response is truncated; the first part is kept", one.url);
  }
  const chain = startsOf(file, all, start);
  const [first] = chain;
  if (!first) throw usageError(`${file} has no page`);
  const exchanges = [...chain, ...all.filter((one) => !chain.includes(one))];
  const names = new Set(exchanges.map(({ url }) => new URL(url).host));
  return {
    url: first.url,
    recordedAt: dateOf(chain.at(-1) ?? first),
    recordedBy,
    exchanges,
    names: [...names].map((name) => ({ name, endpoints: [], covered: [], handshakeMs: null })),
    leftOut: [
      `${lacks}, which an archive of ${recordedBy} does not have: each name becomes a separate host`,
      ...[...leftOut].map(
        ([why, urls]) =>
          `${counted(urls.length, "request")}: ${why} (${urls.slice(0, mostShown).map(quoted).join(", ")}${urls.length > mostShown ? ", ..." : ""})`,
      ),
    ],
  };
}
const mostShown = 5;

function exchangeOf({
  url,
  request,
  response,
}: ArchivedMessages): { exchange: ArchivedExchange; isCut: boolean } | { leftOut: string } {
  const parsed = parsedUrl(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol) || !isHostName(parsed.hostname))
    return { leftOut: "its URL is not a valid http: or https: URL" };
  const asked = readMessage(request);
  const [, method] = /^([!#$%&'*+.^_`|~\w-]+) /.exec(asked?.startLine ?? "") ?? [];
  if (!asked || !method) return { leftOut: "its request cannot be read" };
  const answered = readMessage(response);
  const [, status] = /^HTTP\/\d(?:\.\d)? ([1-5]\d\d)(?: |$)/.exec(answered?.startLine ?? "") ?? [];
  if (!answered || !status)
    return { leftOut: response.length ? "its response cannot be read" : "it failed when it was recorded" };
  parsed.hash = "";
  const requested = (name: string) => headerIn(asked.headers, name);
  const { headers, isCut } = answered;
  const body = method === "HEAD" ? Buffer.alloc(0) : answered.body;
  const known = { method, url: parsed.href, sent: asked.body, status: Number(status), headers, body };
  return { exchange: { ...known, waitMs: null, startMs: 0, requested }, isCut: isCut && method !== "HEAD" };
}

function dateOf({ headers }: SeenExchange): Date {
  const ms = Date.parse(headerIn(headers, "date") ?? "");
  return new Date(Number.isNaN(ms) ? Date.now() : ms);
}
