import { type EditedPage, originalOf } from "./edited-page.ts";
import { readMarkup } from "./markup.ts";
import { type DocumentPlace, documentPlaces, type FileReference, readStyleSheet } from "./references.ts";
import { changed, type TextChange } from "./text-changes.ts";
import { withoutUnused } from "./used-files.ts";

/** @returns the new URL, or null if the reference stays */
export type NewUrl = (reference: FileReference) => string | null;

export const emptyStyleSheet = "data:text/css,";

/** Rewrites references. A style sheet with a rewritten reference gets a copy with a new name, and so do all style sheets that import it. */
export function rewriteReferences(before: EditedPage, newUrl: NewUrl): EditedPage | null {
  const copies = new StyleSheetCopies(before, newUrl);
  const { toBytes, ...markup } = readMarkup(before.html);
  const changes = documentPlaces(before, { ...markup, toBytes }).flatMap((place) => {
    const urls = place.files.map((file, i) => (file && copies.urlOf(file)) ?? place.urls[i] ?? "");
    return urls.every((url, i) => url === place.urls[i]) ? [] : changesOf(place, urls);
  });
  if (changes.length === 0) return null;
  const html = toBytes(changed(markup.text, changes));
  const added = new Map([...before.added, ...copies.added]);
  return withoutUnused({ ...before, html, added, originals: new Map([...before.originals, ...copies.originals]) });
}

/** Rewrites a place. Also removes the integrity attribute, because its digest would not match the new file. */
function changesOf({ start, end, write, element }: DocumentPlace, urls: string[]): TextChange[] {
  const digest = element.attributes.get("integrity");
  return [{ start, end, to: write(urls) }, ...(digest ? [{ ...digest, to: "" }] : [])];
}

class StyleSheetCopies {
  readonly added = new Map<string, Buffer>();
  readonly originals = new Map<string, string>();
  readonly #paths = new Map<string, string>();
  readonly #before: EditedPage;
  readonly #newUrl: NewUrl;

  constructor(before: EditedPage, newUrl: NewUrl) {
    this.#before = before;
    this.#newUrl = newUrl;
  }

  /** @param importing the style sheets that are being copied, each of which imports the next @returns null if the URL stays */
  urlOf(file: FileReference, importing: readonly string[] = []): string | null {
    const given = this.#newUrl(file);
    if (given !== null || !this.#isAffected(file.now)) return given;
    // Browsers ignore a cyclic import. They would not recognise the cycle in the copies, because copies have other names than originals.
    if (importing.includes(file.now)) return emptyStyleSheet;
    const path = this.#paths.get(file.now) ?? this.#copy(file.now, importing);
    return path === null ? null : this.#before.page.urlOf(path) + file.suffix;
  }

  /** Whether the file is a style sheet that has a reference to rewrite, or that imports such a style sheet. */
  #isAffected(path: string, seen = new Set<string>()): boolean {
    if (seen.has(path)) return false;
    seen.add(path);
    const files = readStyleSheet(this.#before, path)?.places.flatMap((place) => place.files) ?? [];
    return files.some((file) => file && (this.#newUrl(file) !== null || this.#isAffected(file.now, seen)));
  }

  #copy(path: string, importing: readonly string[]): string | null {
    const sheet = readStyleSheet(this.#before, path);
    if (!sheet) return null;
    const changes = sheet.places.map(({ start, end, urls, files, write }): TextChange => {
      const to = files.map((file, i) => (file && this.urlOf(file, [...importing, path])) ?? urls[i] ?? "");
      return { start, end, to: to.every((url, i) => url === urls[i]) ? sheet.text.slice(start, end) : write(to) };
    });
    const content = sheet.toBytes(changed(sheet.text, changes));
    const original = originalOf(this.#before, path);
    const copy = this.#before.page.copyOf(original, content);
    this.added.set(copy, content);
    this.originals.set(copy, original);
    this.#paths.set(path, copy);
    return copy;
  }
}
