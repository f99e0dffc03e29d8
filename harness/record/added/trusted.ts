/** Whether this checkout may run the code that a run keeps: it made the run, or its user said so (`./lab trust`). */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { type AddedFiles, isCode } from "../../../hosts/added.ts";
import { sha256 } from "../digest.ts";

/** A file for each set of files, by their hash, with their names. */
const fileOf = (hash: string, checkout: string) => `${checkout}/.lab/trusted/${hash}`;

/** What is trusted: these files with this content, wherever they are; null for pages, links and claims alone, which run nothing. */
function hashOfCode(files: AddedFiles): string | null {
  const lines = codeIn(files).map((path) => `${files[path]}  ${path}\n`);
  return lines.length ? sha256(lines.join("")) : null;
}

export const codeIn = (files: AddedFiles): string[] => Object.keys(files).filter(isCode).sort();

export function isTrusted(files: AddedFiles): boolean {
  const hash = hashOfCode(files);
  return hash === null || existsSync(fileOf(hash, "."));
}

export function trust(files: AddedFiles, checkout = "."): void {
  const hash = hashOfCode(files);
  if (hash === null) return;
  mkdirSync(`${checkout}/.lab/trusted`, { recursive: true });
  writeFileSync(
    fileOf(hash, checkout),
    codeIn(files)
      .map((path) => `${path}\n`)
      .join(""),
  );
}

/** A bundle's lab, kernel and programs, by the SHA-256 of its archive. */
export const isBundleTrusted = (sha256: string): boolean => existsSync(fileOf(`bundle-${sha256}`, "."));

export function trustBundle({ sha256, file }: { sha256: string; file: string }): void {
  mkdirSync(".lab/trusted", { recursive: true });
  writeFileSync(fileOf(`bundle-${sha256}`, "."), `${file}\n`);
}
