/** Reads a recording of a page load: HTTP Archive 1.2, as browsers' developer tools save it. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { usageError } from "../../schema/errors.ts";
import { counted } from "../../schema/words.ts";
import { check } from "../../schema/yaml-file.ts";

/** The limit is memory, which holds the file as text and as objects. */
const mostBytes = 256 * 2 ** 20;

const entry = z.looseObject({
  startedDateTime: z.string().optional(),
  /** The page of the recording that it belongs to. */
  pageref: z.string().nullish(),
  /** Milliseconds. `connect` includes `ssl`; -1 means that it did not happen. */
  time: z.number().nullish(),
  timings: z
    .looseObject({ connect: z.number().nullish(), ssl: z.number().nullish(), wait: z.number().nullish() })
    .nullish(),
  request: z.looseObject({ method: z.string(), url: z.string() }),
  response: z.looseObject({
    status: z.number(),
    redirectURL: z.string().nullish(),
    bodySize: z.number().nullish(),
    headersSize: z.number().nullish(),
    /** Chromium's field: bytes over the network. */
    _transferSize: z.number().nullish(),
    content: z
      .looseObject({
        size: z.number().nullish(),
        mimeType: z.string().nullish(),
        text: z.string().nullish(),
        encoding: z.string().nullish(),
      })
      .nullish(),
  }),
});
const har = z.looseObject({
  log: z.looseObject({
    pages: z.array(z.looseObject({ title: z.string().nullish() })).nullish(),
    entries: z.array(entry).min(1, { error: "has no entries: nothing was recorded" }),
  }),
});

export type HarEntry = z.infer<typeof entry>;

/** @throws LabError (usage) for what is no HAR, or not a whole one, or too large */
export const readHarEntries = (file: string): HarEntry[] => check(parse(file), har, file).log.entries;

/** A request and its response. */
export interface Recorded {
  url: string;
  status: number;
  /** "text/html", without parameters. */
  type: string;
  /** null if it was not recorded. */
  body: Buffer | null;
  /** Size of the decoded body. */
  bytes: number;
  /** Size of the body as it was sent, if it was compressed and the recording says so. */
  compressedBytes: number | null;
  redirect: string | null;
  /** How long the server took before it responded; 0 if the recording does not tell. */
  serverMs: number;
}

export interface Recording {
  title: string | null;
  recorded: Recorded[];
  /** Sentences about unusual entries and how they are handled. */
  sentences: string[];
}

/** @throws LabError (usage) for what is no HAR, or not a whole one, or too large */
export function readHar(file: string): Recording {
  const { log } = check(parse(file), har, file);
  const usable = log.entries.filter(({ request: { method, url } }) => method === "GET" && /^https?:/.test(url));
  const first = new Map<string, z.infer<typeof entry>>();
  const ofOnePage = firstPageOf(usable.toSorted(byStart));
  for (const one of ofOnePage) if (!first.has(one.request.url)) first.set(one.request.url, one);
  const rttMs = shortestRttMs(ofOnePage);
  const answered = [...first.values()].filter(({ response }) => response.status > 0);
  const recorded = answered.map((one) => ({ ...recordedOf(one), serverMs: serverMsOf(one, rttMs) }));
  const contradicting = recorded.filter(({ body, bytes }) => body && bytes !== body.length).length;
  const leftOut = (number: number, why: string) =>
    number ? [`${counted(number, "entry", "entries")} left out: ${why}`] : [];
  return {
    title: log.pages?.[0]?.title || null,
    recorded: recorded.map((one) => ({ ...one, bytes: one.body?.length ?? one.bytes })),
    sentences: [
      ...leftOut(log.entries.length - usable.length, "no GET over HTTP"),
      ...leftOut(usable.length - ofOnePage.length, "not of the first page load that was recorded"),
      ...leftOut(ofOnePage.length - first.size, "the same URL again, of which the first counts"),
      ...leftOut(first.size - recorded.length, "no response was recorded"),
      ...(contradicting
        ? [`${counted(contradicting, "size is", "sizes are")} not that of the recorded body, which counts`]
        : []),
    ],
  };
}

/** A recording may have several page loads: only the first becomes the page. */
function firstPageOf(ordered: HarEntry[]): HarEntry[] {
  const first = ordered.find(({ pageref }) => pageref)?.pageref;
  return ordered.filter(({ pageref }) => !pageref || pageref === first);
}

function parse(file: string): unknown {
  let text: string;
  try {
    const { size } = statSync(file);
    if (size > mostBytes)
      throw new Error(
        `it has ${Math.round(size / 2 ** 20)} MB; up to ${mostBytes / 2 ** 20} MB is allowed: save it without content`,
      );
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw usageError(`cannot read ${file}: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, "")) as unknown;
  } catch (error) {
    throw usageError(`${file} is no complete HAR, which is JSON (${(error as Error).message}); save it again`);
  }
}

/** Entries need not be in order (HAR 1.2, section "entries"). */
const byStart = (a: z.infer<typeof entry>, b: z.infer<typeof entry>) =>
  (a.startedDateTime ?? "").localeCompare(b.startedDateTime ?? "");

/** The shortest TCP handshake; without one, the shortest wait, as if that server had responded at once. Infinity without either. */
function shortestRttMs(entries: readonly HarEntry[]): number {
  const handshakes = entries.map(({ timings }) => (timings?.connect ?? -1) - Math.max(0, timings?.ssl ?? 0));
  const waits = entries.map(({ timings }) => timings?.wait ?? -1);
  const there = [handshakes, waits].map((times) => times.filter((ms) => ms > 0));
  return Math.min(...(there.find(({ length }) => length > 0) ?? []));
}

/** The wait for the first byte, without the round trip. */
const serverMsOf = ({ timings }: HarEntry, rttMs: number): number =>
  Math.max(0, Math.round((timings?.wait ?? 0) - rttMs));

function recordedOf({
  request: { url },
  response: { status, content, bodySize, redirectURL },
}: HarEntry): Omit<Recorded, "serverMs"> {
  const { text, encoding, size, mimeType } = content ?? {};
  const body =
    typeof text === "string" && text !== "" ? Buffer.from(text, encoding === "base64" ? "base64" : "utf8") : null;
  const isRedirect = status >= 300 && status < 400 && status !== 304 && Boolean(redirectURL);
  return {
    url: url.replace(/#.*/s, ""),
    status,
    type: (mimeType ?? "").split(";")[0]!.trim().toLowerCase(),
    body,
    bytes: Math.max(0, Math.round(size || bodySize || 0)),
    compressedBytes: bodySize && size && bodySize > 0 && bodySize < size ? bodySize : null,
    redirect:
      isRedirect && URL.canParse(redirectURL!, url) ? new URL(redirectURL!, url).href.replace(/#.*/s, "") : null,
  };
}

export const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);
