/** Writes the files of the server `replay`: for each number of hosts and each protocol, a folder with a recorded page as it is served. */
import { link, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parsedUrl } from "../../schema/parsed-url.ts";
import { networkPathOf } from "../../schema/recorded-names.ts";
import { sha256 } from "../../schema/sha256.ts";
import { type CertificateChain, certificateChainNames } from "../../schema/tls.ts";
import type { Variant } from "../html.ts";
import { variantName } from "../paths.ts";
import { codingOf, headerOf } from "./content-coding.ts";
import { withHeldClock } from "./held-still.ts";
import { bodiesFolder, bodiesOf, type Exchange, type Recording } from "./recording.ts";
import { serverMsOf } from "./server-times.ts";

/** The file in each variant's folder that lists the variant's hosts and responses. */
export const replayFile = "replay.json";
/** The folder of certificates and keys (PEM): a subfolder for each kind of certificate chain, with one pair of files for each recorded host. */
export const replayCertificates = "certificates";

/** A response as it is sent. */
export interface Replayed {
  method: string;
  /** The URL without its scheme: "//www.example.com/list?page=2". */
  path: string;
  sent?: string;
  status: number;
  headers: [name: string, value: string][];
  /** The name of a file in the folder of bodies. */
  body?: string;
  bytes: number;
  /** The recorded wait without the round trip. The server waits this long before it responds, if recorded server times are switched on. */
  serverMs: number;
}

export interface ReplayFile {
  /** The names of each recorded host, in the order of the certificates: "1.pem" is the first host's certificate. */
  hosts: string[][];
  responses: Replayed[];
}

/** Makes a recorded host's certificate. @param name the key is derived from this text @param names the certificate's names, without ports */
export type Certify = (
  chain: CertificateChain,
  name: string,
  names: string[],
) => Promise<{ certificates: string; key: string }>;

const html = /^text\/html|^application\/xhtml\+xml/i;
/** Headers that are not sent as recorded, because the lab sets them itself, or because they would forbid the lab's additions to a page. */
const ownHeaders = new Set([
  ...[
    "content-length",
    "transfer-encoding",
    "connection",
    "keep-alive",
    "proxy-connection",
    "upgrade",
    "http2-settings",
    "te",
  ],
  ...["server", "alt-svc", "date"],
  ...["strict-transport-security", "content-security-policy", "content-security-policy-report-only", "set-cookie"],
]);
/** Headers whose values are lists: several lines become one (RFC 9110, section 5.3). Of any other header, browsers use the last line. */
const lists =
  /^(?:link|vary|cache-control|pragma|server-timing|accept-ch|critical-ch|permissions-policy|timing-allow-origin|access-control-(?:allow|expose)-(?:headers|methods))$/;

function onceEach(headers: Replayed["headers"]): Replayed["headers"] {
  const values = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = lists.test(name) ? values.get(name) : undefined;
    values.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return [...values];
}

/** Header values that Node.js can send (RFC 9110, section 5.5). A browser's recording may have other values, which are left out. */
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Makes browsers request a page's http: URLs as https:, because all URLs of a load have the same scheme (Upgrade Insecure Requests, W3C). */
const upgrade: [string, string] = ["content-security-policy", "upgrade-insecure-requests"];

/** Writes a folder for each variant into `outDir`. Bodies are hard links to a single copy. */
export async function buildRecordedPage(
  { name, folder, recording }: { name: string; folder: string; recording: Recording },
  outDir: string,
  { variants, certify }: { variants: readonly Variant[]; certify: Certify },
): Promise<void> {
  const bodies = join(outDir, bodiesFolder);
  await mkdir(bodies, { recursive: true });
  for (const { sha256 } of bodiesOf(recording.exchanges))
    await writeFile(join(bodies, sha256), await readFile(join(folder, bodiesFolder, sha256)));
  const responses = await Promise.all(recording.exchanges.map((one) => asSent(one, recording, bodies)));
  for (const { hostCount, protocol } of variants) {
    const variant = join(outDir, variantName(hostCount, protocol.name));
    await mkdir(join(variant, bodiesFolder), { recursive: true });
    const served = responses.flatMap((one) => inScheme(one, protocol.scheme) ?? []);
    for (const body of new Set(served.flatMap((one) => one.body ?? [])))
      await link(join(bodies, body), join(variant, bodiesFolder, body));
    const file: ReplayFile = { hosts: recording.hosts.map(({ names }) => names), responses: served };
    await writeFile(join(variant, replayFile), JSON.stringify(file));
  }
  for (const chain of certificateChainNames) {
    const certificates = join(outDir, replayCertificates, chain);
    await mkdir(certificates, { recursive: true });
    for (const [i, { names }] of recording.hosts.entries()) {
      const made = await certify(chain, `${name} ${i + 1}`, [...new Set(names.map((one) => one.replace(/:\d+$/, "")))]);
      await writeFile(join(certificates, `${i + 1}.pem`), made.certificates);
      await writeFile(join(certificates, `${i + 1}.key`), made.key);
    }
  }
}

/** Prepares a response to be sent over any protocol. HTML gets the script that fixes the clock, and is compressed again. */
async function asSent(exchange: Exchange, { recordedAt, hosts }: Recording, bodies: string): Promise<Replayed> {
  const { method, url, sent, status, body } = exchange;
  const isDocument = body !== undefined && body.bytes > 0 && html.test(headerOf(exchange, "content-type") ?? "");
  const served = isDocument ? await heldStill(exchange, recordedAt, join(bodies, body.sha256)) : null;
  if (served) await writeFile(join(bodies, served.sha256), served.content);
  const file = served ? { sha256: served.sha256, bytes: served.content.length } : body;
  return {
    ...{ method, path: networkPathOf(new URL(url)), status },
    ...(sent && { sent: sent.sha256 }),
    headers: onceEach(exchange.headers.filter(([name, value]) => !ownHeaders.has(name) && sendable.test(value))),
    ...(file && { body: file.sha256 }),
    bytes: file?.bytes ?? 0,
    serverMs: serverMsOf(exchange, hosts),
  };
}

/** Adds the script to an HTML body. Returns null if the coding is unknown or the bytes are damaged; the body is then sent unchanged. */
async function heldStill(exchange: Exchange, recordedAt: string, file: string) {
  const coding = codingOf(exchange);
  if (!coding) return null;
  try {
    const text = coding.decode(await readFile(file)).toString("latin1");
    const content = coding.encode(Buffer.from(withHeldClock(text, recordedAt), "latin1"));
    return { content, sha256: sha256(content) };
  } catch {
    return null;
  }
}

/** Converts a response to a protocol's scheme, which all URLs of a load have. @returns null for a redirect that only changes the scheme */
function inScheme(response: Replayed, scheme: string): Replayed | null {
  const location = response.headers.find(([name]) => name === "location")?.[1];
  const target = location === undefined ? null : parsedUrl(location, `${scheme}:${response.path}`);
  if (target && networkPathOf(target) === response.path && /^https?:/.test(location ?? "")) return null;
  const headers = response.headers.map(([name, value]): [string, string] =>
    name === "location" && target ? [name, value.replace(/^https?(?=:)/i, scheme)] : [name, value],
  );
  const isDocument = response.headers.some(([name, value]) => name === "content-type" && html.test(value));
  return { ...response, headers: scheme === "https" && isDocument ? [...headers, upgrade] : headers };
}
