/** Packs a run's JSON-lines files. The same lines give the same bytes. */
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mostPlainBytes, packed, packedPath, unpacked } from "./packed-file.ts";
import { readBytes } from "./run-files.ts";

const files = ["loads.jsonl", "lanes.jsonl", "calibration.jsonl"];

/** Replaces plain files by packed files. If a crash leaves both, readers use the plain file. @throws LabError (usage) if a file is too large */
export function packRun(folder: string): { before: number; after: number } {
  const sizes = { before: 0, after: 0 };
  for (const path of files.map((file) => `${folder}/${file}`).filter(existsSync)) {
    const plain = readBytes(path, mostPlainBytes);
    const content = packed(plain);
    replace(packedPath(path), content, path);
    sizes.before += plain.length;
    sizes.after += content.length;
  }
  return sizes;
}

/** Replaces packed files by plain files. Call this before appending lines, because lines can be appended only to plain files. */
export function unpackRun(folder: string): void {
  for (const path of files.map((file) => `${folder}/${file}`).filter((file) => !existsSync(file))) {
    const found = unpacked(path);
    if (found) replace(path, found.content, found.from);
  }
}

/** Removes the old file only after the new one is complete and on the disk. */
function replace(path: string, content: Buffer, old: string): void {
  writeFileSync(`${path}.part`, content, { flush: true });
  renameSync(`${path}.part`, path);
  rmSync(old);
}
