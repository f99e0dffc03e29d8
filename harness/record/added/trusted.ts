/** Decides whether this checkout may execute the code in a run's folder: if the checkout made the run, or a user allowed the code (`./lab trust`). */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { type AddedFiles, isCode } from "../../../hosts/added.ts";
import { sha256 } from "../../../schema/sha256.ts";

/** The file that marks the code or bundle with this hash as trusted. It contains the names of the trusted files. */
const fileOf = (hash: string, checkout: string) => `${checkout}/.lab/trusted/${hash}`;

/** Identifies code by its paths and content, wherever it is; null if there are only pages, links and claims, which are not executed. */
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

/** Whether a bundle's lab, kernel and programs are trusted, by the SHA-256 of its archive. */
export const isBundleTrusted = (sha256: string): boolean => existsSync(fileOf(`bundle-${sha256}`, "."));

export function trustBundle({ sha256, file }: { sha256: string; file: string }): void {
  mkdirSync(".lab/trusted", { recursive: true });
  writeFileSync(fileOf(`bundle-${sha256}`, "."), `${file}\n`);
}
