/** Computes a hash of the code that judges a line and of everything that this code imports. If the hash changes, judgements may change. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { addedFiles, isCode } from "../../../hosts/added.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const imported = /(?:from|import) ?\(?["`](\.{1,2}\/[^"`$]+\.tsx?)["`]/g;
/** Matches how a registry imports all files of its folder with a certain ending, as in `axes/registry.ts` and `metrics/registry.ts`. */
const collected = /import\(`\.\/\$\{\w+\}(\.\w+\.ts)`\)/g;

/** Returns a file and all files of the lab that it imports, directly or not: sorted paths from the checkout's root. */
export function importGraph(entry: string): string[] {
  const found = new Set<string>();
  const follow = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    const [text, folder] = [readFileSync(path, "utf8"), dirname(path)];
    for (const [, file = ""] of text.matchAll(imported)) follow(join(folder, file));
    for (const [, ending = ""] of text.matchAll(collected))
      for (const file of readdirSync(folder)) if (file.endsWith(ending)) follow(join(folder, file));
  };
  follow(join(root, entry));
  return [...found].map((path) => relative(root, path)).sort();
}

let known: string | undefined;

/** Libraries are not hashed themselves; the hash of package-lock.json covers them. */
export function judgeVersion(): string {
  if (known) return known;
  const hash = createHash("sha256");
  for (const file of [...importGraph("harness/judge/load/load-row.ts"), "package-lock.json"])
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  for (const [path, content] of Object.entries(addedFiles())) if (isCode(path)) hash.update(`${path} ${content}\n`);
  known = hash.digest("hex");
  return known;
}
