import { hash } from "./random.ts";

const sentence = "This text only makes the file as large as its page.yml says. ";

/** Text of exactly this many bytes, without characters that could end a comment. */
export function filler(bytes: number): string {
  return sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes);
}

/** Of 64, so that a random one takes six bits, and gzip needs 0.76 bytes for it (measured). None of them ends a comment. */
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_ ";
const bytesOfLetter = 0.76;

/** Text of exactly this many bytes that gzip compresses to about this share of them, which is at most `bytesOfLetter`. */
export function compressibleFiller(bytes: number, share: number): string {
  const random = Math.round(bytes * Math.min(1, share / bytesOfLetter));
  const text = Array.from({ length: random }, (_, at) => letters[hash(bytes, at) % letters.length]);
  return text.join("") + filler(bytes - random);
}

/** A comment of exactly this many bytes, or blank lines where there is no room for one. */
export function fillerComment(bytes: number, open: string, close: string, text = filler): string {
  const textBytes = bytes - open.length - close.length;
  return textBytes < 0 ? "\n".repeat(bytes) : open + text(textBytes) + close;
}
