/** Replaces missing bodies, or missing parts of bodies, by filler that has the same size and type and compresses equally well. */
import { lookup } from "mrmime";
import { isCompressible } from "../../schema/compression.ts";
import { bytesOfLetter, compressibleFiller, filler, fillerComment } from "../filler.ts";
import { gzippedBytes } from "../imported/compressed-copies.ts";
import { isHtmlType, isXmlType } from "../imported/text-encoding.ts";
import { startFile } from "../paths.ts";
import { type FilePlan, usualShare } from "./file-plan.ts";
import { isPixelType, pictureOf } from "./filler-picture.ts";

/** @param path the file's path, whose extension decides whether the lab's servers compress the file */
export function fillerOf(type: string, path: string, plan: FilePlan): Buffer {
  if (isPixelType(type) && plan.bytes > 0) return pictureOf(type, plan.bytes);
  return filledUp(Buffer.alloc(0), plan.bytes, type, path, plan);
}

/** Adds the `cut` missing bytes to a truncated body. Padding cannot complete a picture, so filler replaces the whole picture. */
export const padded = (body: Buffer, cut: number, type: string, path: string, plan: FilePlan): Buffer =>
  cut > 0 && type.startsWith("image/") ? fillerOf(type, path, plan) : filledUp(body, cut, type, path, plan);

/** Makes HTML for a start document without a recorded body. The HTML has an element for each resource, and is padded to the recorded size. */
export function madeHtml(title: string, named: readonly { url: string; type: string }[], plan: FilePlan): Buffer {
  const elements = named.map(({ url, type }) => element(escaped(url), type));
  const html = ["<!doctype html><meta charset=utf-8>", `<title>${escaped(title)}</title>`, ...elements, ""].join("\n");
  return padded(Buffer.from(html), plan.bytes - Buffer.byteLength(html), "text/html", startFile, plan);
}

/** Adds `bytes` of filler to the recorded part `there`, so that gzip compresses the result to about the recorded size on the network. */
function filledUp(there: Buffer, bytes: number, type: string, path: string, plan: FilePlan): Buffer {
  if (bytes <= 0) return there;
  if (!isCompressible(lookup(path) ?? "")) return Buffer.concat([there, latin1(filler(bytes))]);
  const thereBytes = there.length ? gzippedBytes(path, there) : 0;
  const aim = plan.wireBytes ?? thereBytes + usualShare * bytes;
  let share = plan.isUncompressed ? 1 : (aim - thereBytes) / bytes;
  let made = Buffer.concat([there, textWith(type, bytes, share)]);
  if (plan.isUncompressed || made.length > leastExactBytes) return made;
  // gzip's constant overhead matters for small files, so the share is corrected.
  for (let tries = 0; tries < mostTries; tries++) {
    share += (aim - gzippedBytes(path, made)) / bytes;
    made = Buffer.concat([there, textWith(type, bytes, share)]);
  }
  return made;
}
const mostTries = 2;
const leastExactBytes = 200_000;

function textWith(type: string, bytes: number, share: number): Buffer {
  // Filler that hardly compresses contains characters that XML does not allow.
  const most = isXmlType(type) ? bytesOfLetter : 1;
  const text = (length: number) => compressibleFiller(length, Math.min(share, most));
  if (isHtmlType(type)) return latin1(fillerComment(bytes, "<!-- ", " -->", text));
  if (type === "image/svg+xml")
    return latin1(fillerComment(bytes, '<svg xmlns="http://www.w3.org/2000/svg"><!-- ', " --></svg>", text));
  if (type === "text/css" || /javascript/.test(type)) return latin1(fillerComment(bytes, "/* ", " */", text));
  return latin1(text(bytes));
}

const latin1 = (text: string) => Buffer.from(text, "latin1");

function element(url: string, type: string): string {
  if (type.startsWith("image/")) return `<img src="${url}">`;
  if (type === "text/css") return `<link rel=stylesheet href="${url}">`;
  if (/javascript/.test(type)) return `<script src="${url}"></script>`;
  if (isHtmlType(type)) return `<iframe src="${url}"></iframe>`;
  const as = /font/.test(type) ? "font" : "fetch";
  return `<link rel=preload as=${as} href="${url}" crossorigin>`;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
