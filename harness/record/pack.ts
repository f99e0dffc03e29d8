/** Packs a run: each file of lines by gzip without a time stamp, so that the same lines give the same bytes. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { packedPath } from "./journal.ts";

const files = ["loads.jsonl", "lanes.jsonl", "calibration.jsonl"];

/** After a crash both the plain and the packed file may exist, with the same lines; then the plain one is read. @returns bytes before and after */
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

/** Call this before appending, because lines can be appended to plain files only. */
export function unpackRun(folder: string): void {
  for (const path of files.map((file) => `${folder}/${file}`))
    if (existsSync(packedPath(path)) && !existsSync(path))
      replace(path, gunzipSync(readFileSync(packedPath(path))), packedPath(path));
}

/** Removes the old file only when the new one is complete and on the disk. */
function replace(path: string, content: Buffer, old: string): void {
  writeFileSync(`${path}.part`, content, { flush: true });
  renameSync(`${path}.part`, path);
  rmSync(old);
}
