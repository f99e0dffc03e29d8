/** Runs are kept packed: each file of lines by gzip without a time stamp, so that the same lines give the same bytes. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { packedPath } from "./journal.ts";

const files = ["loads.jsonl", "lanes.jsonl", "calibration.jsonl"];

/** A crash between two steps leaves the plain file and the packed one, which agree; the plain one is then read. @returns bytes before and after */
export function packRun(folder: string): { before: number; after: number } {
  const sizes = { before: 0, after: 0 };
  for (const path of files.map((file) => `${folder}/${file}`).filter(existsSync)) {
    const plain = readFileSync(path);
    const packed = gzipSync(plain, { level: 9 });
    replace(packedPath(path), packed, path);
    sizes.before += plain.length;
    sizes.after += packed.length;
  }
  return sizes;
}

/** To be called before anything is appended: lines are appended to plain files only. */
export function unpackRun(folder: string): void {
  for (const path of files.map((file) => `${folder}/${file}`))
    if (existsSync(packedPath(path)) && !existsSync(path))
      replace(path, gunzipSync(readFileSync(packedPath(path))), packedPath(path));
}

/** The old file is removed once the new one is whole and on the disk. */
function replace(path: string, content: Buffer, old: string): void {
  writeFileSync(`${path}.part`, content, { flush: true });
  renameSync(`${path}.part`, path);
  rmSync(old);
}
