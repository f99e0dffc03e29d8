/** Finished runs are kept packed: each file of lines by gzip, which says nothing of when, so that the same lines are the same bytes. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { packedPath } from "./journal.ts";

const files = ["loads.jsonl", "lanes.jsonl", "calibration.jsonl"];

/** A crash between two steps leaves both, which are the same; the plain one is then read. @returns bytes before and after */
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

/** Before anything is appended: lines are appended to plain files alone. */
export function unpackRun(folder: string): void {
  for (const path of files.map((file) => `${folder}/${file}`))
    if (existsSync(packedPath(path)) && !existsSync(path))
      replace(path, gunzipSync(readFileSync(packedPath(path))), packedPath(path));
}

/** The old file goes when the new one is whole and on the disk. */
function replace(path: string, content: Buffer, old: string): void {
  writeFileSync(`${path}.part`, content, { flush: true });
  renameSync(`${path}.part`, path);
  rmSync(old);
}
