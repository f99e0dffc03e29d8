/** run.json is written once: its hash, written with it, shows whether the plan was cut or extended later. `sha256sum -c` checks it, too. */
import { existsSync, readFileSync } from "node:fs";
import { sha256 } from "./digest.ts";

export const planHashFile = "run.sha256";

export const planHashOf = (json: string): string => `${sha256(json)}  run.json\n`;

/** null for a run from before there was such a hash (2026-11-23). */
export function planIsUnchanged(folder: string): boolean | null {
  const path = `${folder}/${planHashFile}`;
  return existsSync(path)
    ? readFileSync(path, "utf8") === planHashOf(readFileSync(`${folder}/run.json`, "utf8"))
    : null;
}
