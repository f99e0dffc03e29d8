/**
 * Reads an archive of mahimahi's mm-webrecord: a folder with a RequestResponse (protobufs/http_record.proto) in each file. Fields: ip = 1, port = 2,
 * scheme = 3 (1 is HTTP, 2 is HTTPS), request = 4, response = 5; in request and response first_line = 1, header = 2 (key = 1, value = 2), body = 3.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { usageError } from "../../schema/errors.ts";
import { mostExchanges, mostRecordedBytes } from "../recorded/recording.ts";
import { type ArchivedMessages, recordingOfArchive } from "./archive-recording.ts";
import { type Field, readFields } from "./protobuf-fields.ts";
import { headerIn, type Seen } from "./seen-exchange.ts";

/** @param start the page's URL; without it, the archive must have one page @throws LabError (usage) */
export function readMahimahiArchive(folder: string, start?: string): Seen {
  const files = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
  const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0);
  if (files.length > mostExchanges || bytes > 2 * mostRecordedBytes)
    throw usageError(`${folder} has ${files.length} files with ${Math.round(bytes / 1e6)} MB: record only one page`);
  const messages = files.map((path) => messagesIn(path));
  return recordingOfArchive(
    { file: folder, recordedBy: "mahimahi", lacks: "order, times and certificates", messages },
    start,
  );
}

function messagesIn(path: string): ArchivedMessages {
  const fields = readFields(readFileSync(path));
  const [request, response] = [4, 5].map((number) => partsOf(bytesIn(fields, number)));
  if (!fields || !request || !response)
    throw usageError(`${path} is not a request that mahimahi's mm-webrecord saved; give mm-webrecord's folder`);
  const isSecure = fields.some((one) => one.number === 3 && "value" in one && one.value === 2);
  const host = headerIn(request.headers, "host") ?? bytesIn(fields, 1)?.toString("latin1") ?? "";
  const [, target = ""] = request.firstLine.split(" ");
  const url = target.startsWith("/") ? `${isSecure ? "https" : "http"}://${host}${target}` : target;
  return { url, request: messageOf(request), response: messageOf(response) };
}

interface Parts {
  firstLine: string;
  headers: [name: string, value: string][];
  body: Buffer;
}

function partsOf(bytes: Buffer | null): Parts | null {
  const fields = bytes && readFields(bytes);
  if (!fields) return null;
  const text = (of: readonly Field[] | null, number: number) => bytesIn(of, number)?.toString("latin1") ?? "";
  const headers = fields.flatMap((one): [string, string][] => {
    const header = one.number === 2 && "bytes" in one ? readFields(one.bytes) : null;
    return header ? [[text(header, 1), text(header, 2)]] : [];
  });
  return { firstLine: text(fields, 1), headers, body: bytesIn(fields, 3) ?? Buffer.alloc(0) };
}

function bytesIn(fields: readonly Field[] | null, number: number): Buffer | null {
  const found = fields?.find((one) => one.number === number && "bytes" in one);
  return found && "bytes" in found ? found.bytes : null;
}

/** Writes the message as it was on the network. A body with chunked transfer coding is still chunked. */
function messageOf({ firstLine, headers, body }: Parts): Buffer {
  const lines = [firstLine, ...headers.map(([name, value]) => `${name}: ${value}`), "", ""];
  return Buffer.concat([Buffer.from(lines.join("\r\n"), "latin1"), body]);
}
