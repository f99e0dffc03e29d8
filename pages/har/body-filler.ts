/** Replaces bodies that a recording lacks by filler of the same size and type. */
import { filler, fillerComment } from "../filler.ts";
import { type FormatName, formats, makeImage } from "../image.ts";
import type { Recorded } from "./read-har.ts";

const images: Record<string, FormatName> = { "image/jpeg": "jpeg", "image/png": "png", "image/gif": "gif" };

export function fillerOf({ type, bytes }: Recorded): Buffer {
  const format = images[type];
  if (format && bytes >= formats[format].minBytes) return makeImage(format, bytes, 1).file;
  if (type === "text/html") return Buffer.from(fillerComment(bytes, "<!-- ", " -->"));
  if (type === "text/css" || /javascript/.test(type)) return Buffer.from(fillerComment(bytes, "/* ", " */"));
  return Buffer.from(filler(bytes));
}

/** An HTML document that references resources, each by an element for its type; padded to the recorded size. */
export function madeHtml(title: string, named: readonly { url: string; type: string }[], bytes: number): string {
  const elements = named.map(({ url, type }) => element(escaped(url), type));
  const html = ["<!doctype html><meta charset=utf-8>", `<title>${escaped(title)}</title>`, ...elements, ""].join("\n");
  return html + fillerComment(Math.max(0, bytes - Buffer.byteLength(html)), "<!-- ", " -->");
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
