/** Decodes and encodes the content codings of recorded bodies (RFC 9110, section 8.4). */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { compress } from "../imported/compressed-copies.ts";
import { type Exchange, mostRecordedBytes } from "./recording.ts";

export interface Coding {
  /** @throws Error if the bytes are damaged, or decompress to more than a recording may have */
  decode(bytes: Buffer): Buffer;
  encode(bytes: Buffer): Uint8Array;
}

/** Decompression is limited, because a recording may come from an untrusted source. */
const limits = { maxOutputLength: mostRecordedBytes };
const codings: Readonly<Record<string, Coding>> = {
  identity: { decode: (bytes) => bytes, encode: (bytes) => bytes },
  gzip: { decode: (bytes) => gunzipSync(bytes, limits), encode: compress.gzip },
  br: { decode: (bytes) => brotliDecompressSync(bytes, limits), encode: compress.br },
};

export const headerOf = ({ headers }: Exchange, name: string): string | undefined =>
  headers.find(([one]) => one === name)?.[1];

/** @returns undefined for an unknown coding */
export const codingOf = (exchange: Exchange): Coding | undefined =>
  codings[headerOf(exchange, "content-encoding")?.toLowerCase() ?? "identity"];
