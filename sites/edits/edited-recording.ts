import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parsedUrl } from "../../schema/parsed-url.ts";
import { sha256 } from "../../schema/sha256.ts";
import type { ImportedPage } from "../imported/imported-page.ts";
import { codingOf, headerOf } from "../recorded/content-coding.ts";
import { bodiesFolder, type Exchange, type Recording, recordingFile } from "../recorded/recording.ts";
import { exchangesOf, fileOfUrl } from "./editable-recording.ts";
import { asItIs, documentCopies, documentOf, type EditedPage, originalOf } from "./edited-page.ts";
import { usedFiles } from "./used-files.ts";

/** Writes the recording with additional responses for edited documents and their added files. A load can begin at any of these documents. */
export function writeEditedRecording(
  { files, recording }: ImportedPage & { recording: Recording },
  edited: readonly EditedPage[],
  folder: string,
): void {
  for (const [path, { source }] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (path !== recordingFile) cpSync(source, join(folder, path));
  }
  const known = exchangesOf(recording);
  const more = new Map<string, Exchange>();
  for (const one of edited) {
    const put = (file: string, original: string, change: (was: Exchange) => Exchange) => {
      const was = known.get(original)!;
      more.set(file, change({ ...was, url: `${new URL(was.url).protocol}//${file}` }));
    };
    const copies = documentCopies(one);
    copies.slice(0, -1).forEach(({ copy, original }, i) => {
      put(copy, original, (was) => leadingTo(`${new URL(was.url).protocol}//${copies[i + 1]!.copy}`, was));
    });
    const { copy } = copies.at(-1)!;
    put(copy, one.document, (was) => withBody(one.html, withUsedLinks(one, was), folder));
    for (const [file, content] of one.added) {
      const original = originalOf(one, file);
      // A file that only moves to another URL keeps its recorded bytes, as the recorded server compressed them.
      const isSame = one.page.contentOf(original)?.equals(content);
      put(file, original, (was) => (isSame ? was : withBody(content, was, folder)));
    }
  }
  const documents = [...new Set(edited.map(documentOf))];
  const all: Recording = { ...recording, exchanges: [...recording.exchanges, ...more.values()], documents };
  writeFileSync(join(folder, recordingFile), JSON.stringify(all));
}

const leadingTo = (location: string, was: Exchange): Exchange => ({
  ...was,
  headers: was.headers.map(([name, value]) => [name, name === "location" ? location : value]),
});

/** Writes `content` in the recorded content coding. @returns the exchange with this body */
function withBody(content: Buffer, was: Exchange, folder: string): Exchange {
  const bytes = Buffer.from(codingOf(was)!.encode(content));
  const hash = sha256(bytes);
  writeFileSync(join(folder, bodiesFolder, hash), bytes);
  return { ...was, body: { sha256: hash, bytes: bytes.length } };
}

/** Removes preloads from the Link headers (RFC 8288) if the document used the preloaded file before the edit, but not after the edit. */
function withUsedLinks(one: EditedPage, was: Exchange): Exchange {
  const filesOf = (page: EditedPage) => new Set(usedFiles(page).map(({ now }) => now));
  const [before, after] = [filesOf(asItIs(one.page, one.document)), filesOf(one)];
  const stays = (link: string) => {
    const [, reference = ""] = /^\s*<([^>]*)>/.exec(link) ?? [];
    const url = parsedUrl(reference, was.url);
    if (!/;\s*rel="?[^";]*\b(?:module)?preload\b/i.test(link) || !url) return true;
    return !before.has(fileOfUrl(url)) || after.has(fileOfUrl(url));
  };
  if (headerOf(was, "link") === undefined) return was;
  const headers = was.headers.flatMap(([name, value]): Exchange["headers"] => {
    if (name !== "link") return [[name, value]];
    const left = value.split(/,(?=\s*<)/).filter(stays);
    return left.length ? [[name, left.join(",")]] : [];
  });
  return { ...was, headers };
}
