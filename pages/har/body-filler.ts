/** Replaces bodies that a recording lacks by filler of the same size and type. */
import { isCompressible } from "../../schema/compression.ts";
import { compressibleFiller, filler, fillerComment } from "../filler.ts";
import { type FormatName, formats, makeImage } from "../image.ts";
import type { Recorded } from "./read-har.ts";

const images: Record<string, FormatName> = { "image/jpeg": "jpeg", "image/png": "png", "image/gif": "gif" };

/** What texts of web pages are usually compressed to, for recordings that do not tell. */
const usualShare = 1 / 3;
const textLike =
  ({ bytes, compressedBytes }: Recorded) =>
  (length: number): string =>
    compressibleFiller(length, compressedBytes === null ? usualShare : compressedBytes / bytes);

/** Texts compress to the recorded size as well. */
export function fillerOf(recorded: Recorded): Buffer {
  const { type, bytes } = recorded;
  const format = images[type];
  if (format && bytes >= formats[format].minBytes) return makeImage(format, bytes, 1).file;
  const text = textLike(recorded);
  if (type === "text/html") return Buffer.from(fillerComment(bytes, "<!-- ", " -->", text));
  if (type === "text/css" || /javascript/.test(type)) return Buffer.from(fillerComment(bytes, "/* ", " */", text));
  return Buffer.from(isCompressible(type) ? text(bytes) : filler(bytes));
}

/** An HTML document that references resources, each by an element for its type; padded to the recorded size. */
export function madeHtml(title: string, named: readonly { url: string; type: string }[], recorded: Recorded): string {
  const elements = named.map(({ url, type }) => element(escaped(url), type));
  const html = ["<!doctype html><meta charset=utf-8>", `<title>${escaped(title)}</title>`, ...elements, ""].join("\n");
  const missing = Math.max(0, recorded.bytes - Buffer.byteLength(html));
  return html + fillerComment(missing, "<!-- ", " -->", textLike(recorded));
}

function element(url: string, type: string): string {
  if (type.startsWith("image/")) return `<img src="${url}">`;
  if (type === "text/css") return `<link rel=stylesheet href="${url}">`;
  if (/javascript/.test(type)) return `<script src="${url}"></script>`;
  if (type === "text/html") return `<iframe src="${url}"></iframe>`;
  const as = /font/.test(type) ? "font" : "fetch";
  return `<link rel=preload as=${as} href="${url}" crossorigin>`;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
