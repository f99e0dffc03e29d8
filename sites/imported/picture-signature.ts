/** Detects pictures by their first bytes. This matters because a browser stops reading a picture that it cannot decode. */
import { closeSync, openSync, readSync } from "node:fs";
import { extname } from "node:path";

const starts = ["\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF87a", "GIF89a", "BM", "\0\0\x01\0", "\0\0\x02\0"];
/** Signatures that do not start at the first byte: WebP is in a RIFF container, AVIF in an ISO base media file. */
const later: [at: number, text: string][] = [
  [8, "WEBP"],
  [4, "ftypavif"],
  [4, "ftypavis"],
  [4, "ftypmif1"],
];
const readBytes = 16;
const endings = [".png", ".jpg", ".jpeg", ".gif", ".bmp", ".ico", ".webp", ".avif"];

const isPicture = (head: Buffer): boolean => {
  const text = head.toString("latin1");
  return starts.some((start) => text.startsWith(start)) || later.some(([at, word]) => text.startsWith(word, at));
};

export const isBrokenPicture = (path: string, source: string): boolean =>
  endings.includes(extname(path).toLowerCase()) && !startsAsPicture(source);

/** Whether the file starts like a picture, or is empty. */
export function startsAsPicture(source: string): boolean {
  const head = Buffer.alloc(readBytes);
  const file = openSync(source, "r");
  const bytes = readSync(file, head, 0, readBytes, 0);
  closeSync(file);
  return bytes === 0 || isPicture(head.subarray(0, bytes));
}
