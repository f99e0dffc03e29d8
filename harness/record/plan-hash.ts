/** run.json is written once: its hash, written with it, shows whether the plan was cut or extended later. `sha256sum -c` checks it, too. */
import { existsSync } from "node:fs";
import { sha256 } from "./digest.ts";
import { mostManifestBytes, readBytes } from "./run-files.ts";

export const planHashFile = "run.sha256";

export const planHashOf = (json: string): string => `${sha256(json)}  run.json\n`;

/** null for a run from before there was such a hash (2026-11-23). */
export function planIsUnchanged(folder: string): boolean | null {
  const path = `${folder}/${planHashFile}`;
  if (!existsSync(path)) return null;
  const [hash, plan] = [readBytes(path, mostManifestBytes), readBytes(`${folder}/run.json`, mostManifestBytes)];
  return hash.toString() === planHashOf(plan.toString());
}
