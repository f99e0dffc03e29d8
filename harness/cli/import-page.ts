/** `./lab page import` makes a page from a file that another program recorded. */
import { statSync } from "node:fs";
import { usageError } from "../../schema/errors.ts";
import { importHar, pageNameIn } from "../../sites/har/import-har.ts";
import { readHarAsRecorded } from "../../sites/recorder/har-recording.ts";
import { readMahimahiArchive } from "../../sites/recorder/mahimahi-archive.ts";
import { readWprArchive } from "../../sites/recorder/wpr-archive.ts";
import { newPageFolder, writeRecording } from "../../sites/recorder/write-recording.ts";
import { print, say } from "../output/output.ts";
import { nextCommands } from "./record-page.ts";
import { printRecording } from "./recording-summary.ts";
import { typedUrl } from "./typed-url.ts";

interface ImportOptions {
  name?: string;
  asRecorded?: true;
  url?: string;
  keepQueries?: true;
}

export function importPage(
  file: string,
  { name = pageNameIn(file), asRecorded, url, keepQueries }: ImportOptions,
): void {
  const readArchive = archiveReader(file);
  if (url !== undefined && !readArchive)
    throw usageError("--url is only for archives (NAME.wprgo, or a folder of mahimahi): leave it out");
  if (readArchive || asRecorded) {
    const folder = newPageFolder(name);
    const seen = readArchive ? readArchive(file, url && typedUrl(url)) : readHarAsRecorded(file);
    printRecording(folder, writeRecording(folder, seen, { keepsQueries: keepQueries ?? false }));
    print(`\nNext:\n${nextCommands(folder)}`);
    return;
  }
  if (keepQueries) throw usageError("--keep-queries is only for --as-recorded and archives: leave it out");
  const { folder, sentences } = importHar(file, name);
  for (const sentence of sentences) say(sentence);
  print(folder);
}

/** @returns null for a HAR */
function archiveReader(file: string): typeof readWprArchive | null {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) return readMahimahiArchive;
  return /\.wprgo$/i.test(file) ? readWprArchive : null;
}
