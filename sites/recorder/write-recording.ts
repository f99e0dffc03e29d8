/** Writes a recorded page's folder, which appears completely or not at all. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import { inOneLine } from "../../schema/foreign-words.ts";
import { sha256 } from "../../schema/sha256.ts";
import {
  bodiesFolder,
  mostExchanges,
  mostNames,
  mostRecordedBytes,
  type RecordedBody,
  type Recording,
  readRecording,
  recordingFile,
} from "../recorded/recording.ts";
import { cleaned } from "./clean-exchanges.ts";
import { hostsOf } from "./host-groups.ts";
import type { Seen } from "./seen-exchange.ts";

/** Returns a new page's folder. Call this before all other work. @throws LabError (usage) for a name that is invalid or taken */
export function newPageFolder(name: string, directory = "pages"): string {
  const folder = `${directory}/${name}`;
  if (!/^[\w-]+$/.test(name)) throw usageError(`--name "${name}": a page's name has only letters, digits, _ and -`);
  if (existsSync(folder)) throw usageError(`${folder} exists already; use another --name, or remove it`);
  return folder;
}

/** Derives a page's name from a host name: "www.example.com" becomes example-com. */
export const pageNameFor = (hostname: string): string =>
  hostname
    .replace(/^www\./, "")
    .replace(/[^\w-]+/g, "-")
    .replace(/^-+|-+$/g, "") || "recorded";

/** @param keepsQueries keeps values of parameters that look private @throws LabError if the page exceeds a limit or has no exchange for its URL */
export function writeRecording(folder: string, seen: Seen, { keepsQueries = false } = {}): Recording {
  const excess = excessOf({
    bytes: seen.exchanges.reduce((sum, { body }) => sum + body.length, 0),
    exchanges: seen.exchanges.length,
    names: seen.names.map(({ name }) => name),
  });
  if (excess) throw excess;
  const { url, exchanges, leftOut } = cleaned(seen, keepsQueries);
  const bodies = new Map<string, Buffer>();
  const keep = (bytes: Buffer): RecordedBody => {
    const body = identified(bytes);
    bodies.set(body.sha256, bytes);
    return body;
  };
  const recording: Recording = {
    recordingVersion: 1,
    url,
    recordedAt: seen.recordedAt.toISOString(),
    recordedBy: inOneLine(seen.recordedBy),
    ...(seen.view && { view: seen.view }),
    hosts: hostsOf(seen.names.filter(({ name }) => exchanges.some((one) => new URL(one.url).host === name))),
    exchanges: exchanges.map(({ sent, body, ...rest }) => ({
      ...rest,
      ...(sent.length > 0 && { sent: identified(sent) }),
      ...(body.length > 0 && { body: keep(body) }),
    })),
    leftOut,
  };
  mkdirSync(join(folder, ".."), { recursive: true });
  const aside = mkdtempSync(join(folder, "..", ".record-"));
  try {
    mkdirSync(join(aside, bodiesFolder));
    for (const [name, bytes] of bodies) writeFileSync(join(aside, bodiesFolder, name), bytes);
    writeFileSync(join(aside, recordingFile), `${JSON.stringify(recording, null, 1)}\n`);
    readRecording(aside);
    renameSync(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return recording;
}

const identified = (bytes: Buffer): RecordedBody => ({
  sha256: sha256(bytes),
  bytes: bytes.length,
});

/** The quantities of a page that are limited. */
export interface Amount {
  bytes: number;
  exchanges: number;
  names: readonly string[];
}

/** Checks limits. The recorder also calls this while it records, because its memory is limited. @returns null if no limit is exceeded */
export function excessOf({ bytes, exchanges, names }: Amount): LabError | null {
  const tooLarge = (what: string) => new LabError(ExitCode.failed, `${what}; nothing was kept`);
  if (bytes > mostRecordedBytes)
    return tooLarge(`the page has more than the ${mostRecordedBytes / 1e6} MB that are allowed`);
  if (exchanges > mostExchanges)
    return tooLarge(`the page made more than the ${mostExchanges} requests that are allowed`);
  if (names.length > mostNames)
    return tooLarge(
      `the page requested files from more than the ${mostNames} host names that are allowed: ${names.join(", ")}`,
    );
  return null;
}
