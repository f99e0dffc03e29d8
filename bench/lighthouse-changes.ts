/** Changes a folder's files as Lighthouse's audits suggest. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parsedUrl } from "../schema/parsed-url.ts";
import { editableFolder } from "../sites/edits/editable-page.ts";
import { asItIs, type Edit, inTurn } from "../sites/edits/edited-page.ts";
import { inlined } from "../sites/edits/inlined.ts";
import { lazyImages } from "../sites/edits/lazy-images.ts";
import { readMarkup } from "../sites/edits/markup.ts";
import { preloaded } from "../sites/edits/preloaded.ts";
import { scriptLoading } from "../sites/edits/script-loading.ts";
import { changed } from "../sites/edits/text-changes.ts";
import { readImportedPage } from "../sites/imported/imported-page.ts";
import { importedFile, startFile } from "../sites/paths.ts";
import type { AuditId, LighthouseAudit } from "./lighthouse.ts";

/** A file that an audit names, its size, and how many of these bytes Lighthouse would save. */
interface Named {
  path: string;
  totalBytes: number;
  wastedBytes: number;
}

interface Change {
  title: string;
  /** @returns false if it changes nothing */
  make(folder: string, named: readonly Named[]): boolean;
}

export const lighthouseChanges: Readonly<Record<AuditId, Change>> = {
  "render-blocking-resources": {
    title: "style sheets into the HTML, scripts with defer",
    make: (folder, named) =>
      edit(
        folder,
        named.map(({ path }) => (path.endsWith(".css") ? inlined(path) : scriptLoading(path, "defer"))),
      ),
  },
  "prioritize-lcp-image": {
    title: "preload the largest image",
    make: (folder, named) => edit(folder, [preloaded(named.map(({ path }) => ({ path, as: "image" as const })))]),
  },
  "offscreen-images": {
    title: "images off the screen with loading=lazy",
    make: (folder, named) => {
      const off = new Set(named.map(({ path }) => path));
      return edit(folder, [lazyImages([...filesOf(folder)].filter((path) => !off.has(path)))]);
    },
  },
  "modern-image-formats": { title: "images as small as WebP or AVIF", make: shorten },
  "uses-optimized-images": { title: "images as small as with better compression", make: shorten },
  "uses-responsive-images": { title: "images as small as their place on the screen", make: shorten },
};

/** Copies a folder to `to`, with the change. @returns `to`; null if the audit names nothing that can be changed */
export function changedCopy(folder: string, to: string, change: Change, audit: LighthouseAudit): string | null {
  const paths = filesOf(folder);
  const named = (audit.details?.items ?? []).flatMap(({ url, totalBytes = 0, wastedBytes = 0 }): Named[] => {
    const pathname = parsedUrl(url ?? "")?.pathname;
    const path = pathname === undefined ? "" : importedFile(pathname);
    return paths.has(path) ? [{ path, totalBytes, wastedBytes }] : [];
  });
  if (named.length === 0) return null;
  cpSync(folder, to, { recursive: true });
  return change.make(to, named) ? to : null;
}

const filesOf = (folder: string): Set<string> => new Set(readImportedPage("page", folder).files.keys());

/** Truncates images instead of compressing them better. Browsers may show only a part of such an image, but its transfer takes the same time. */
function shorten(folder: string, named: readonly Named[]): boolean {
  const wasteful = named.filter(({ wastedBytes }) => wastedBytes > 0);
  for (const { path, totalBytes, wastedBytes } of wasteful) {
    const content = readFileSync(join(folder, path));
    const kept = Math.max(1, Math.round(content.length * (1 - wastedBytes / totalBytes)));
    writeFileSync(join(folder, path), content.subarray(0, kept));
  }
  return wasteful.length > 0;
}

function edit(folder: string, edits: readonly Edit[]): boolean {
  const after = inTurn(...edits)(asItIs(editableFolder(readImportedPage("page", folder)), startFile));
  if (!after) return false;
  for (const [path, content] of [[startFile, after.html] as const, ...after.added]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return true;
}

/** Name of an element -> the attribute with the URL that the element loads. */
const loadedBy: Readonly<Record<string, string>> = { script: "src", link: "href", iframe: "src", img: "src" };
const atOthers = /^\s*(https?:)?\/\//i;

/** Stops elements from loading files of other hosts, which neither Lighthouse nor the lab can reach. */
export function withoutOthers(folder: string): void {
  const path = join(folder, startFile);
  const markup = readMarkup(readFileSync(path));
  const changes = markup.elements.flatMap(({ name, values, attributes }) => {
    const attribute = loadedBy[name] ?? "";
    const place = attributes.get(attribute);
    return place && atOthers.test(values.get(attribute) ?? "") ? [{ ...place, to: "" }] : [];
  });
  writeFileSync(path, markup.toBytes(changed(markup.text, changes)));
}
