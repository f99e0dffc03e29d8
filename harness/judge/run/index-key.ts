/** The key that seals indexes of this checkout: an index that came with a run from elsewhere could claim anything about its loads. */
import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { environment } from "../../../hosts/environment.ts";

const keyBytes = 32;
let known: Buffer | undefined;

/** Kept in a file that only this user can read. If the file cannot be written, the key lasts as long as the process. */
function key(): Buffer {
  known ??= kept(`${environment.state}/index-key`) ?? randomBytes(keyBytes);
  return known;
}

function kept(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return made(path);
  }
}

function made(path: string): Buffer | null {
  try {
    mkdirSync(environment.state, { recursive: true });
    writeFileSync(`${path}.${process.pid}`, randomBytes(keyBytes), { mode: 0o600 });
    renameSync(`${path}.${process.pid}`, path);
    return readFileSync(path);
  } catch {
    return null;
  }
}

/** The seal of an object, which only this checkout can compute. */
export const sealOf = (content: object): string =>
  createHmac("sha256", key()).update(JSON.stringify(content)).digest("hex");
