/** Makes the page of a run of `./lab advise`: a folder with the page's files, and one more HTML file for each edit. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { documentOf, type EditedPage, originalOf } from "../../sites/edits/edited-page.ts";
import { writeEditedRecording } from "../../sites/edits/edited-recording.ts";
import { type GivenPage, givePage } from "../../sites/given-page.ts";
import { configuredHost, type ImportedPage } from "../../sites/imported/imported-page.ts";
import { pageFileName } from "../../sites/imported/page-folder.ts";

/** @param most the lab's number of hosts @returns a page that has all edited documents, and the unedited document */
export function stagePage(page: ImportedPage, edited: readonly EditedPage[], most: number): GivenPage {
  const folder = mkdtempSync(join(tmpdir(), "lab-advise-"));
  try {
    const { recording } = page;
    if (recording) {
      writeEditedRecording({ ...page, recording }, edited, folder);
      return givePage(folder, most);
    }
    const put = (path: string, write: (target: string) => void) => {
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      write(target);
    };
    for (const [path, { source }] of page.files) put(path, (target) => copyFileSync(source, target));
    const hosts: Record<string, number> = { ...page.hosts };
    const serverTimes: Record<string, number> = { ...page.serverTimes };
    const uncompressed = new Set(page.uncompressed);
    for (const one of edited) {
      put(documentOf(one), (target) => writeFileSync(target, one.html));
      for (const [path, content] of one.added) {
        put(path, (target) => writeFileSync(target, content));
        const original = originalOf(one, path);
        const host = configuredHost(page, original);
        if (host !== null) hosts[path] = host; // a copy is on the same host as its original
        if (serverTimes[original] !== undefined) serverTimes[path] = serverTimes[original];
        if (uncompressed.has(original)) uncompressed.add(path);
      }
    }
    const { title, source } = page;
    const file = { title, source, hosts, serverTimes, uncompressed: [...uncompressed] };
    writeFileSync(join(folder, pageFileName), stringify(file));
    return givePage(folder, most);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
