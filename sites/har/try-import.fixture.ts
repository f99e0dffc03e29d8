/** Builds recordings and imports them, for tests. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkImportedPage } from "../imported/check-page.ts";
import type { ImportedPage } from "../imported/imported-page.ts";
import { loadPage } from "../pages.ts";
import { importHar } from "./import-har.ts";

export const origin = "https://www.example.test";
let count = 0;

interface Answer extends Record<string, unknown> {
  status?: unknown;
  type?: string;
  size?: number;
  text?: string;
  encoding?: string;
  method?: string;
  /** Additional fields of the entry. */
  entry?: object;
}

/** @param url a URL relative to `origin`, or a complete URL */
export function entryOf(url: string, { type, size, text, encoding, method = "GET", entry, ...response }: Answer = {}) {
  return {
    startedDateTime: new Date(1_767_000_000_000 + count++).toISOString(),
    request: { method, url: url.startsWith("/") ? origin + url : url },
    response: { status: 200, ...response, content: { mimeType: type ?? "text/css", size, text, encoding } },
    ...entry,
  };
}
export const htmlOf = (text: string, more: Answer = {}) => entryOf("/", { type: "text/html", text, ...more });

/** @param packed converts the JSON to the file's content; by default UTF-8 without compression */
export function tryImport(entries: unknown[], log: object = {}, packed = (json: string): string | Buffer => json) {
  const directory = mkdtempSync(join(tmpdir(), "try-import-"));
  try {
    const file = join(directory, "page.har");
    writeFileSync(file, packed(JSON.stringify({ log: { version: "1.2", entries, ...log } })));
    const { folder, sentences } = importHar(file, "page", directory);
    const page = loadPage("page", directory) as ImportedPage;
    const contents = new Map([...page.files].map(([path, { source }]) => [path, readFileSync(source)]));
    const text = (path: string) => contents.get(path)?.toString("utf8");
    const pageFile = readFileSync(join(folder, "page.yml"), "utf8");
    const { unnamed, outside } = checkImportedPage(page, 1);
    return { page, contents, text, pageFile, unnamed, outside, sentences: sentences.join("\n") };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
