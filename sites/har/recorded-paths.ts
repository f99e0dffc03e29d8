/** Finds the files of recorded URLs, and rewrites HTML and CSS so that they reference these files. */
import { dirname, posix } from "node:path";
import { cssPlaces } from "../imported/css-references.ts";
import { htmlPlaces } from "../imported/html-references.ts";
import { rewrite } from "../imported/place.ts";
import { isHtmlType, textForm } from "../imported/text-encoding.ts";
import { encodedPath } from "../paths.ts";
import type { Recorded } from "./read-har.ts";
import { isHttp, normalUrl } from "./recorded-url.ts";
import { Redirects } from "./redirects.ts";

export class RecordedPaths {
  readonly #redirects: Redirects;
  readonly #names: ReadonlyMap<string, string>;

  constructor(recorded: readonly Recorded[], names: ReadonlyMap<string, string>) {
    this.#redirects = new Redirects(
      new Map(recorded.flatMap(({ url, redirect }) => (redirect === null ? [] : [[url, redirect]]))),
    );
    this.#names = names;
  }

  /** Returns the file for a URL, after redirects; undefined if the URL was not recorded, or if redirects form a loop. */
  of(url: string): string | undefined {
    return this.#names.get(this.#redirects.endOf(url) ?? "");
  }
}

/** @returns the body. In HTML and CSS, references to recorded URLs become relative paths, and other references lose their user and password. */
export function withPaths(one: Recorded, body: Buffer, paths: RecordedPaths, named: Set<string>): Buffer {
  const isHtml = isHtmlType(one.type);
  if (!isHtml && one.type !== "text/css") return body;
  const { text, read, url: requested, toBytes } = textForm(body, one);
  const { base, places } = isHtml ? htmlPlaces(text) : { base: null, places: cssPlaces(text) };
  const from = normalUrl(read(base ?? ""), one.url)?.href ?? one.url;
  const own = dirname(paths.of(one.url)!);
  const rewritten = rewrite(text, places, (reference) => {
    // The base is removed, because references become relative to the file.
    if (reference.as === "base") return "";
    // Browsers encode queries differently in a style sheet that is not in UTF-8. The recording shows which form was requested.
    const readings = [requested(reference.url), read(reference.url)];
    const target = readings.find((one) => paths.of(normalUrl(one, from)?.href ?? "") !== undefined) ?? readings[0]!;
    const url = reference.url.startsWith("#") ? null : normalUrl(target, from);
    if (!url) return reference.url;
    const path = paths.of(url.href);
    if (path === undefined) return isHttp(url) ? url.href : reference.url;
    if (reference.as !== "connection") named.add(path);
    return encodedPath(posix.relative(own, path)) + new URL(target, from).hash;
  });
  return toBytes(rewritten);
}
