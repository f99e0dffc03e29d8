/** A text that differs when a judgement may: of the code that judges a line, with all that it imports. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const imported = /(?:from|import) ?\(?["`](\.{1,2}\/[^"`$]+\.tsx?)["`]/g;
/** Folders whose entries are imported by the names of their files: `axes/registry.ts`, `metrics/registry.ts`. */
const collected = /import\(`\.\/\$\{\w+\}(\.\w+\.ts)`\)/g;

/** The lab's files that a file's imports lead to, itself among them: paths from the checkout's root, sorted. */
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

/** Libraries are in the lock file. */
export function judgeVersion(): string {
  if (known) return known;
  const hash = createHash("sha256");
  for (const file of [...importGraph("harness/judge/load-row.ts"), "package-lock.json"])
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  known = hash.digest("hex");
  return known;
}
