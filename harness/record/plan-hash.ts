/** run.json is written once, together with its hash, which shows whether the plan was changed later. `sha256sum -c` can check it, too. */
import { existsSync } from "node:fs";
import { sha256 } from "../../schema/sha256.ts";
import { mostManifestBytes, readBytes } from "./run-files.ts";

export const planHashFile = "run.sha256";

export const planHashOf = (json: string): string => `${sha256(json)}  run.json\n`;

/** @returns null for a run without a hash; runs before 2026-11-23 have none */
export function planIsUnchanged(folder: string): boolean | null {
  const path = `${folder}/${planHashFile}`;
  if (!existsSync(path)) return null;
  const [hash, plan] = [readBytes(path, mostManifestBytes), readBytes(`${folder}/run.json`, mostManifestBytes)];
  return hash.toString() === planHashOf(plan.toString());
}
