/** The content codings of recorded bodies (RFC 9110, section 8.4). */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { compress } from "../imported/compressed-copies.ts";
import type { Exchange } from "./recording.ts";

export interface Coding {
  /** @throws Error if the bytes are damaged */
  decode(bytes: Buffer): Buffer;
  encode(bytes: Buffer): Uint8Array;
}

const codings: Readonly<Record<string, Coding>> = {
  identity: { decode: (bytes) => bytes, encode: (bytes) => bytes },
  gzip: { decode: (bytes) => gunzipSync(bytes), encode: compress.gzip },
  br: { decode: (bytes) => brotliDecompressSync(bytes), encode: compress.br },
};

export const headerOf = ({ headers }: Exchange, name: string): string | undefined =>
  headers.find(([one]) => one === name)?.[1];

/** @returns undefined for a coding that is not known here */
export const codingOf = (exchange: Exchange): Coding | undefined =>
  codings[headerOf(exchange, "content-encoding")?.toLowerCase() ?? "identity"];
