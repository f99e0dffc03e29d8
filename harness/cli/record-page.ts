/** `./lab page record` makes a page from a site. */
import type { ViewName } from "../../clients/recorder/views.ts";
import { newPageFolder, pageNameFor, writeRecording } from "../../sites/recorder/write-recording.ts";
import { print, say } from "../output/output.ts";
import { withLifetime } from "../run/lifetime.ts";
import { printRecording } from "./recording-summary.ts";
import { typedUrl } from "./typed-url.ts";

export interface RecordOptions {
  name?: string;
  view: ViewName;
  scroll?: true;
  seconds: number;
  insecure?: true;
  keepQueries?: true;
}

export async function recordPage(address: string, { name, ...options }: RecordOptions): Promise<void> {
  const url = typedUrl(address);
  const folder = newPageFolder(name ?? pageNameFor(new URL(url).hostname));
  const { recordSite } = await import("../../clients/recorder/record-site.ts"); // Puppeteer takes time to load
  const { view, seconds, scroll = false, insecure = false, keepQueries = false } = options;
  const visit = { url, view, seconds, scrolls: scroll, insecure };
  const recording = await withLifetime(async ({ signal }) => {
    const seen = await recordSite(visit, { signal, say });
    signal.throwIfAborted();
    return writeRecording(folder, seen, { keepsQueries: keepQueries });
  });
  printRecording(folder, recording);
  print(`\nNext:\n${nextCommands(folder)}`);
}

export function nextCommands(folder: string): string {
  const name = folder.replace(/^pages\//, "");
  return [`./lab page check ${name}`, `./lab try --page ${name} --clock virtual --protocol h1,h2,h3`]
    .map((command) => `  ${command}`)
    .join("\n");
}
