/** A recorded page: a folder with every response that a browser got from a site, and a JSON file that says what the browser asked for. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { browserWindow } from "../../schema/browser-window.ts";
import { usageError } from "../../schema/errors.ts";
import { inOneLine } from "../../schema/foreign-words.ts";
import { tokenPattern } from "../../schema/http-token.ts";

export const recordingFile = "recording.json";
/** The folder of the bodies. Each has the name of its own SHA-256. */
export const bodiesFolder = "bodies";

/** Limited because a guest holds a page's files in memory. */
export const mostRecordedBytes = 200e6;
export const mostExchanges = 10_000;
/** The largest number of names over all hosts. */
export const mostNames = 32;

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, "not a SHA-256 in lower-case hexadecimal digits");
const webUrl = z.url({ protocol: /^https?$/ }).max(20_000);
const token = z.string().regex(tokenPattern, "not a token of HTTP");
const oneLine = z.string().regex(/^[^\r\n\0]*$/, "it has a line break");

/** A file in `bodiesFolder`. Bytes are counted as they are sent: compressed, if the response has a content coding. */
const body = z.strictObject({ sha256: sha256Schema, bytes: z.int().min(0) });
export type RecordedBody = z.infer<typeof body>;

/** A request and its response. Redirects and preflights are exchanges of their own. */
const exchange = z.strictObject({
  method: token,
  /** Without a fragment. */
  url: webUrl,
  /** What a POST sent, by its hash: equal requests have equal hashes. */
  sent: body.optional(),
  status: z.int().min(200).max(599),
  /** Names in lower case. Only headers that change a load or what a script sees; never cookies. */
  headers: z.array(z.tuple([token.toLowerCase(), oneLine])),
  /** Absent for a response without a body. */
  body: body.optional(),
  /** From the end of the request to the first byte of the response, in milliseconds; includes the round trip. null if unknown. */
  waitMs: z.number().min(0).nullable(),
  /** When it was requested, in milliseconds after the first request. */
  startMs: z.number().min(0),
});
export type Exchange = z.infer<typeof exchange>;

/** What a name in a recording may be: a host in URLs, with the port if it is not the scheme's own. Names become parts of configurations. */
export const namePattern = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/;

/** Names that had the same address and certificate, so that HTTP/2 may use one connection for all of them. */
const host = z.strictObject({
  /** As in URLs: with the port, if it is not the scheme's own. */
  names: z.array(z.string().max(260).regex(namePattern, "not a name of a host, in lower case")).min(1),
  /** The shortest TCP handshake, which takes a round trip; null if unknown. */
  handshakeMs: z.number().min(0).nullable(),
});
export type RecordedHost = z.infer<typeof host>;

const recording = z.strictObject({
  recordingVersion: z.literal(1),
  /** The URL that the browser was told to visit. */
  url: webUrl,
  recordedAt: z.iso.datetime(),
  /** The program that recorded it, such as "HeadlessChrome/150.0.7871.100". */
  recordedBy: oneLine.min(1),
  /** The browser's window, if it is known. */
  view: browserWindow.optional(),
  /** In the order of their first requests: the first has the document. */
  hosts: z.array(host).min(1),
  /** In the order of their requests. */
  exchanges: z.array(exchange).min(1).max(mostExchanges),
  /** Sentences that say what was not kept, and why. */
  leftOut: z.array(oneLine),
  /** URLs without the scheme, at which a load may begin as well: copies of the document that ./lab advise has edited. */
  documents: z.array(oneLine.min(1).max(20_000)).optional(),
});
export type Recording = z.infer<typeof recording>;

export const isRecordedFolder = (folder: string): boolean => existsSync(join(folder, recordingFile));

/** @throws LabError (usage) that names the file and what is wrong with it */
export function readRecording(folder: string): Recording {
  const path = join(folder, recordingFile);
  const wrong = (what: string) => usageError(`${path}: ${inOneLine(what)}`);
  const result = recording.safeParse(parsed(readFileSync(path, "utf8"), wrong));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw wrong(`${issue?.path.join(".")}: ${issue?.message}`);
  }
  const problem = problemOf(result.data) ?? bodyProblem(result.data, folder);
  if (problem) throw wrong(problem);
  return result.data;
}

function parsed(text: string, wrong: (what: string) => Error): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong((error as Error).message);
  }
}

/** A contradiction between the parts of a recording; null if there is none. */
function problemOf({ url, hosts, exchanges, documents = [] }: Recording): string | null {
  const names = hosts.flatMap((one) => one.names);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return `hosts: "${twice}" is listed twice`;
  if (names.length > mostNames) return `hosts: ${names.length} names, but at most ${mostNames} are allowed`;
  const strange = [url, ...exchanges.map((one) => one.url)].find((one) => !names.includes(new URL(one).host));
  if (strange !== undefined) return `"${strange}" is on no name in hosts`;
  if (!exchanges.some((one) => one.url === url && one.method === "GET")) return `exchanges: none is for ${url}`;
  const known = new Set(exchanges.map((one) => one.url.replace(/^https?:\/\//, "")));
  const unknown = documents.find((one) => !known.has(one));
  return unknown === undefined ? null : `documents: none of the exchanges is for ${unknown}`;
}

function bodyProblem({ exchanges }: Recording, folder: string): string | null {
  let total = 0;
  for (const { sha256: name, bytes } of bodiesOf(exchanges)) {
    const file = join(folder, bodiesFolder, name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found?.isFile()) return `${bodiesFolder}/${name} is missing`;
    if (found.size !== bytes) return `${bodiesFolder}/${name} has ${found.size} bytes instead of ${bytes}`;
    total += bytes;
  }
  return total > mostRecordedBytes ? `its bodies have ${total} bytes, but ${mostRecordedBytes} are allowed` : null;
}

/** Where a load begins: over TLS if anything was recorded over TLS, because all URLs of a load have one scheme. */
export const startOf = ({ url, exchanges }: Pick<Recording, "url" | "exchanges">): string =>
  exchanges.some((one) => one.url.startsWith("https:")) ? url.replace(/^http:/, "https:") : url;

/** The names of each host, and its RTT in milliseconds as far as handshakes show them: absent if none was seen. */
export const hostsIn = ({ hosts }: Pick<Recording, "hosts">): { hosts: string[][]; rttsMs?: (number | null)[] } => ({
  hosts: hosts.map(({ names }) => names),
  ...(hosts.some(({ handshakeMs }) => handshakeMs !== null) && { rttsMs: hosts.map(({ handshakeMs }) => handshakeMs) }),
});

/** Each body of the responses once. */
export function bodiesOf(exchanges: readonly Exchange[]): RecordedBody[] {
  return [...new Map(exchanges.flatMap(({ body: one }) => (one ? [[one.sha256, one] as const] : []))).values()];
}
