/** The key by which this checkout knows the indexes that it wrote: one that came with somebody's run could say anything of its loads. */
import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { environment } from "../../../hosts/environment.ts";

const keyBytes = 32;
let known: Buffer | undefined;

/** Kept where only this user reads it. Where nothing can be written, it lasts as long as the process. */
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

/** What only this checkout can write beside a content. */
export const sealOf = (content: object): string =>
  createHmac("sha256", key()).update(JSON.stringify(content)).digest("hex");
