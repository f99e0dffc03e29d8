import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Files } from "./build.ts";

/** Writes a report as a folder that a browser can open from disk. */
export function writeReport(folder: string, files: Files): void {
  for (const [file, content] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    if (typeof content === "string") writeFileSync(join(folder, file), content);
    else copyFileSync(content.copyOf, join(folder, file));
  }
}
