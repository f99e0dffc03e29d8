/** Reads a recorded page: a folder with every response that a browser got from a site, and with the browser's requests in a JSON file. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { browserWindow } from "../../schema/browser-window.ts";
import { usageError } from "../../schema/errors.ts";
import { inOneLine } from "../../schema/foreign-words.ts";
import { tokenPattern } from "../../schema/http-token.ts";

export const recordingFile = "recording.json";
/** The folder of response bodies. Each file's name is the SHA-256 of its content. */
export const bodiesFolder = "bodies";

/** The limit for all bodies of a recording together, because a guest holds a page's files in memory. */
export const mostRecordedBytes = 200e6;
export const mostExchanges = 10_000;
/** The largest number of names that all hosts may have together. */
export const mostNames = 32;

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, "not a SHA-256 in lower-case hexadecimal digits");
const webUrl = z.url({ protocol: /^https?$/ }).max(20_000);
const token = z.string().regex(tokenPattern, "not a valid HTTP token");
const oneLine = z.string().regex(/^[^\r\n\0]*$/, "it has a line break");

/** The hash and size of a body as it is sent: compressed, if it has a content coding. A response's body is in `bodiesFolder`. */
const body = z.strictObject({ sha256: sha256Schema, bytes: z.int().min(0) });
export type RecordedBody = z.infer<typeof body>;

/** A request and its response. Redirects and preflights are separate exchanges. */
const exchange = z.strictObject({
  method: token,
  /** The URL without its fragment. */
  url: webUrl,
  /** The body of the request, for example of a POST. Only its size and hash are kept; equal requests are recognised by the hash. */
  sent: body.optional(),
  status: z.int().min(200).max(599),
  /** The headers that change a load or what a script sees, with names in lower case. There are never cookies. */
  headers: z.array(z.tuple([token.toLowerCase(), oneLine])),
  body: body.optional(),
  /** The time from the end of the request to the first byte of the response, in milliseconds, including the round trip; null if unknown. */
  waitMs: z.number().min(0).nullable(),
  /** When the request began, in milliseconds after the first request. */
  startMs: z.number().min(0),
});
export type Exchange = z.infer<typeof exchange>;

/** Host names as in URLs, with the port if it is not the scheme's default. The pattern is strict: names go into configuration files. */
export const namePattern = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/;

/** Names with the same address and certificate. HTTP/2 may use one connection for all these names. */
const host = z.strictObject({
  names: z.array(z.string().max(260).regex(namePattern, "not a host name in lower case")).min(1),
  /** The shortest TCP handshake in milliseconds, which takes one round trip; null if unknown. */
  handshakeMs: z.number().min(0).nullable(),
});
export type RecordedHost = z.infer<typeof host>;

const recording = z.strictObject({
  recordingVersion: z.literal(1),
  /** The URL that the browser visited first. */
  url: webUrl,
  recordedAt: z.iso.datetime(),
  /** The program that recorded the page, such as "HeadlessChrome/150.0.7871.100". */
  recordedBy: oneLine.min(1),
  view: browserWindow.optional(),
  /** The hosts in the order of their first requests; the first host has the document. */
  hosts: z.array(host).min(1),
  /** The exchanges in the order of their requests. */
  exchanges: z.array(exchange).min(1).max(mostExchanges),
  /** Sentences about what the recording leaves out, and why. */
  leftOut: z.array(oneLine),
  /** Other URLs, without their scheme, at which a load may begin. Each leads to a copy of the document, edited by ./lab advise. */
  documents: z.array(oneLine.min(1).max(20_000)).optional(),
});
export type Recording = z.infer<typeof recording>;

export const isRecordedFolder = (folder: string): boolean => existsSync(join(folder, recordingFile));

/** @throws LabError (usage) that names the file and the problem */
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

function problemOf({ url, hosts, exchanges, documents = [] }: Recording): string | null {
  const names = hosts.flatMap((one) => one.names);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return `hosts: "${twice}" is listed twice`;
  if (names.length > mostNames) return `hosts: ${names.length} names, but at most ${mostNames} are allowed`;
  const strange = [url, ...exchanges.map((one) => one.url)].find((one) => !names.includes(new URL(one).host));
  if (strange !== undefined) return `the host of "${strange}" is not listed under hosts`;
  if (!exchanges.some((one) => one.url === url && one.method === "GET")) return `exchanges: no GET of ${url}`;
  const known = new Set(exchanges.map((one) => one.url.replace(/^https?:\/\//, "")));
  const unknown = documents.find((one) => !known.has(one));
  return unknown === undefined ? null : `documents: no exchange has the URL ${unknown}`;
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
  return total > mostRecordedBytes ? `its bodies have ${total} bytes; at most ${mostRecordedBytes} are allowed` : null;
}

/** The URL at which a load begins. Its scheme is https if anything was recorded over TLS, because all URLs of a load have the same scheme. */
export const startOf = ({ url, exchanges }: Pick<Recording, "url" | "exchanges">): string =>
  exchanges.some((one) => one.url.startsWith("https:")) ? url.replace(/^http:/, "https:") : url;

/** Returns the names of each host, and each host's RTT in milliseconds from its handshakes. RTTs are absent if no handshake was recorded. */
export const hostsIn = ({ hosts }: Pick<Recording, "hosts">): { hosts: string[][]; rttsMs?: (number | null)[] } => ({
  hosts: hosts.map(({ names }) => names),
  ...(hosts.some(({ handshakeMs }) => handshakeMs !== null) && { rttsMs: hosts.map(({ handshakeMs }) => handshakeMs) }),
});

/** Lists the responses' bodies, each body once. */
export function bodiesOf(exchanges: readonly Exchange[]): RecordedBody[] {
  return [...new Map(exchanges.flatMap(({ body: one }) => (one ? [[one.sha256, one] as const] : []))).values()];
}
