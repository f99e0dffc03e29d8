/** Files of lines, packed as FILE.br: 40% smaller than as FILE.gz, used before 2026-11-24, because Brotli finds repetitions within 16 MB. */
import { existsSync, lstatSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { sha256 } from "../../schema/sha256.ts";
import { readBytes, unpack } from "./run-files.ts";

/** Quality 11 would save another 10%, but would take twelve times as long. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_LGWIN]: 24 };
const endings = [".br", ".gz"];

/** The limit for an unpacked file, which is in memory as a whole. The lab's largest published run takes a quarter of this limit. */
export const mostPlainBytes = 512e6;

export const packedPath = (path: string): string => `${path}.br`;
export const packed = (plain: Buffer): Buffer => brotliCompressSync(plain, { params });

/** Caches the last large file, because a report reads a run's lines several times. */
let last: { state: string; content: Buffer } | null = null;
const largeBytes = 1e6;

const packedForm = (path: string) => endings.map((ending) => path + ending).find((one) => existsSync(one));

/** Whether a file of lines has only a packed form. */
export const isPacked = (path: string): boolean => !existsSync(path) && packedForm(path) !== undefined;

export const packedHash = (path: string): string | null =>
  isPacked(path) ? sha256(readBytes(packedForm(path)!, mostPlainBytes)) : null;

/** Unpacks a file of lines. @returns null if it has no packed form @throws LabError (usage) if it is damaged or too large */
export function unpacked(path: string): { from: string; content: Buffer } | null {
  const from = packedForm(path);
  if (from === undefined) return null;
  const { ino, size, mtimeMs, ctimeMs } = lstatSync(from);
  const state = JSON.stringify([from, ino, size, mtimeMs, ctimeMs]);
  if (last?.state === state) return { from, content: last.content };
  const content = unpack(from, mostPlainBytes);
  if (content.length >= largeBytes) last = { state, content };
  return { from, content };
}
