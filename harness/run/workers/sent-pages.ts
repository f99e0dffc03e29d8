/** Sends a run's pages, because workers' checkouts may lack them. The queue's database keeps each page under the hash of its content. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Redis } from "ioredis";
import { z } from "zod";
import { usageError } from "../../../schema/errors.ts";
import { pathInsideSchema } from "../../../schema/names.ts";
import { isImported, type Registries } from "../../../schema/registries.ts";
import { type ImportedPage, readImportedPage } from "../../../sites/imported/imported-page.ts";
import { pageFileName } from "../../../sites/imported/page-folder.ts";
import { loadPage } from "../../../sites/pages.ts";
import { keyOf } from "./worker-list.ts";

/** The limit for one page's files, which the queue's server and each receiving worker hold in memory. */
const mostBytes = 100e6;
/** The database deletes a page after this many days. A run that is resumed later sends its pages again. */
const keptDays = 30;

/** Path -> base64. */
const filesSchema = z.record(pathInsideSchema, z.base64());

export const pageKey = (sha256: string): string => keyOf("page", sha256);

/** @throws LabError (usage) for a page with too many bytes */
export async function sendPages(redis: Redis, pages: Registries["pages"]): Promise<void> {
  for (const [name, page] of Object.entries(pages)) {
    const here = isImported(page) ? loadPage(name) : undefined;
    if (here && "files" in here) await redis.set(pageKey(here.sha256), packPage(here), "EX", keptDays * 86_400);
  }
}

export function packPage({ name, folder, files }: ImportedPage): Buffer {
  const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > mostBytes)
    throw usageError(
      `page ${name} has ${Math.ceil(bytes / 1e6)} MB; pages for workers may have at most ${mostBytes / 1e6} MB: leave out unused files`,
    );
  const sources = [...files].map(([path, { source }]) => [path, source] as const);
  const described = existsSync(join(folder, pageFileName)) ? [[pageFileName, join(folder, pageFileName)] as const] : [];
  const content = [...sources, ...described].map(([path, source]) => [path, readFileSync(source, "base64")]);
  return gzipSync(JSON.stringify(Object.fromEntries(content)));
}

/** Writes a page's folder, completely or not at all. @throws Error if the page has another hash */
export function unpackPage(packed: Buffer, folder: string, sha256: string): void {
  const files = filesSchema.parse(JSON.parse(gunzipSync(packed, { maxOutputLength: 2 * mostBytes }).toString()));
  mkdirSync(dirname(folder), { recursive: true });
  const aside = mkdtempSync(join(dirname(folder), ".sent-"));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(aside, path)), { recursive: true });
      writeFileSync(join(aside, path), Buffer.from(content, "base64"));
    }
    const { sha256: is } = readImportedPage("sent", aside);
    if (is !== sha256) throw new Error(`the queue has a page with hash ${is} under the hash ${sha256}`);
    renameSync(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
