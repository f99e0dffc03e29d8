/** Reads an HTTP/1.1 message from bytes (RFC 9112). The sizes in the message may be wrong. */
import { headerIn } from "./seen-exchange.ts";

export interface RawMessage {
  /** The first line, such as "GET / HTTP/1.1" or "HTTP/1.1 200 OK". */
  startLine: string;
  headers: [name: string, value: string][];
  body: Buffer;
  /** Whether the data ends before the body's Content-Length or last chunk. */
  isCut: boolean;
}

const mostHeaderBytes = 262_144;

/** @returns null if this is not a message */
export function readMessage(bytes: Buffer): RawMessage | null {
  const text = bytes.subarray(0, mostHeaderBytes).toString("latin1");
  const end = /\r?\n\r?\n/.exec(text);
  if (!end) return null;
  const [startLine = "", ...lines] = text.slice(0, end.index).split(/\r?\n(?![ \t])/);
  if (!/^\S+ \S/.test(startLine)) return null;
  const headers = lines.flatMap((line): [string, string][] => {
    const [, name, value] = /^([^\s:]+):\s*(.*?)\s*$/s.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value.replace(/\s*\r?\n\s*/g, " ")]];
  });
  const rest = bytes.subarray(end.index + end[0].length);
  if (/\bchunked\b/i.test(headerIn(headers, "transfer-encoding") ?? ""))
    return { startLine, headers, ...unchunked(rest) };
  const length = Number(headerIn(headers, "content-length") ?? rest.length);
  const bodyBytes = Number.isSafeInteger(length) && length >= 0 ? length : rest.length;
  return { startLine, headers, body: rest.subarray(0, bodyBytes), isCut: rest.length < bodyBytes };
}

/** Decodes the chunked transfer coding (RFC 9112, section 7.1). Extensions and trailers are ignored. */
function unchunked(bytes: Buffer): Pick<RawMessage, "body" | "isCut"> {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\n", at);
    const [, size] =
      /^\s*([\da-f]{1,8})\s*(?:;.*)?\r?$/i.exec(bytes.toString("latin1", at, Math.max(at, lineEnd))) ?? [];
    if (lineEnd < 0 || size === undefined) return { body: Buffer.concat(chunks), isCut: true };
    const length = Number.parseInt(size, 16);
    if (length === 0) return { body: Buffer.concat(chunks), isCut: false };
    const chunk = bytes.subarray(lineEnd + 1, lineEnd + 1 + length);
    chunks.push(chunk);
    if (chunk.length < length) return { body: Buffer.concat(chunks), isCut: true };
    at = bytes.indexOf("\n", lineEnd + 1 + length) + 1 || bytes.length;
  }
}
