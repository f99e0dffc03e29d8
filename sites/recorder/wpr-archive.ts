/**
 * Reads an archive of WprGo (catapult, web_page_replay_go): JSON compressed by gzip, in which each host has its URLs, and each URL its
 * requests with their responses, as HTTP/1.1 messages in base64. It has neither an order nor times nor addresses.
 */
import { z } from "zod";
import { usageError } from "../../schema/errors.ts";
import { counted } from "../../schema/words.ts";
import { check } from "../../schema/yaml-file.ts";
import { parseHarFile } from "../har/har-file.ts";
import { isHostName, quoted } from "../har/recorded-url.ts";
import { readMessage } from "./raw-http.ts";
import { headerIn, type Seen, type SeenExchange } from "./seen-exchange.ts";
import { type ArchivedExchange, startsOf } from "./wpr-start.ts";

const base64 = z.string().nullish();
const archive = z.looseObject({
  Requests: z.record(
    z.string(),
    z
      .record(
        z.string(),
        z.array(z.looseObject({ SerializedRequest: base64, SerializedResponse: base64 }).nullable()).nullable(),
      )
      .nullable(),
  ),
});

/** @param start the page's URL; without it, the archive must have one page @throws LabError (usage) */
export function readWprArchive(file: string, start?: string): Seen {
  const { Requests: hosts } = check(parseHarFile(file, "archive of WprGo"), archive, file);
  const leftOut = new Map<string, string[]>();
  const leave = (why: string, url: string) => leftOut.set(why, [...(leftOut.get(why) ?? []), url]);
  const all = Object.values(hosts).flatMap((urls) =>
    Object.entries(urls ?? {}).flatMap(([url, requests]) =>
      (requests ?? []).flatMap((one): ArchivedExchange[] => {
        const bytesOf = (text?: string | null) => Buffer.from(text ?? "", "base64");
        const read = exchangeOf(url, bytesOf(one?.SerializedRequest), bytesOf(one?.SerializedResponse));
        if ("leftOut" in read) leave(read.leftOut, url);
        if ("isCut" in read && read.isCut) leave("its body is truncated, and is kept so", url);
        return "leftOut" in read ? [] : [read.exchange];
      }),
    ),
  );
  const chain = startsOf(file, all, start);
  const [first] = chain;
  if (!first) throw usageError(`${file} has no page`);
  const exchanges = [...chain, ...all.filter((one) => !chain.includes(one))];
  const names = new Set(exchanges.map(({ url }) => new URL(url).host));
  return {
    url: first.url,
    recordedAt: dateOf(chain.at(-1) ?? first),
    recordedBy: "WprGo",
    exchanges,
    names: [...names].map((name) => ({ name, endpoint: null, covered: [], handshakeMs: null })),
    leftOut: [
      "order, times and addresses, which such an archive does not have: each name is a host of its own",
      ...[...leftOut].map(
        ([why, urls]) =>
          `${counted(urls.length, "request")}: ${why} (${urls.slice(0, mostShown).map(quoted).join(", ")}${urls.length > mostShown ? ", ..." : ""})`,
      ),
    ],
  };
}
const mostShown = 5;

function exchangeOf(
  url: string,
  request: Buffer,
  response: Buffer,
): { exchange: ArchivedExchange; isCut: boolean } | { leftOut: string } {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || !isHostName(new URL(url).hostname))
    return { leftOut: "not a URL of HTTP" };
  const asked = readMessage(request);
  const [, method] = /^([!#$%&'*+.^_`|~\w-]+) /.exec(asked?.startLine ?? "") ?? [];
  if (!asked || !method) return { leftOut: "its request cannot be read" };
  const answered = readMessage(response);
  const [, status] = /^HTTP\/\d(?:\.\d)? ([1-5]\d\d)(?: |$)/.exec(answered?.startLine ?? "") ?? [];
  if (!answered || !status)
    return { leftOut: response.length ? "its response cannot be read" : "it failed when it was recorded" };
  const { href } = withoutFragment(url);
  const requested = (name: string) => headerIn(asked.headers, name);
  const { headers, isCut } = answered;
  const body = method === "HEAD" ? Buffer.alloc(0) : answered.body;
  const known = { method, url: href, sent: asked.body, status: Number(status), headers, body };
  return { exchange: { ...known, waitMs: null, startMs: 0, requested }, isCut: isCut && method !== "HEAD" };
}

function withoutFragment(text: string): URL {
  const url = new URL(text);
  url.hash = "";
  return url;
}

/** When the document's server sent it; now, if it does not say so. */
function dateOf({ headers }: SeenExchange): Date {
  const ms = Date.parse(headerIn(headers, "date") ?? "");
  return new Date(Number.isNaN(ms) ? Date.now() : ms);
}
