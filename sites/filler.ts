import { mix } from "./random.ts";

const sentence = "This text only makes the file as large as its page.yml says. ";

/** Makes text of exactly this many bytes, without characters that could end a comment. */
export function filler(bytes: number): string {
  return sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes);
}

/** 64 characters that do not end a comment. A random character of these has six bits of information, and takes 0.76 bytes in gzip (measured). */
const letters = Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_ ");
export const bytesOfLetter = 0.76;
/** All characters that end neither a comment nor a line. Text that hardly compresses needs more than 64 different characters. */
const anyBytes = Buffer.from(
  Array.from({ length: 256 }, (_, byte) => byte).filter(
    (byte) => byte > 0 && !`\n\r*-<>`.includes(String.fromCharCode(byte)),
  ),
);

/** Makes text of exactly this many characters of one byte each. gzip compresses the text to about this share. */
export function compressibleFiller(bytes: number, share: number): string {
  const [alphabet, bytesOfOne] = share <= bytesOfLetter ? [letters, bytesOfLetter] : [anyBytes, 1];
  const random = Buffer.alloc(Math.round(bytes * Math.min(1, Math.max(0, share) / bytesOfOne)));
  for (let at = 0; at < random.length; at++) random[at] = alphabet[mix(bytes, at) % alphabet.length]!;
  return random.toString("latin1") + filler(bytes - random.length);
}

/** Makes a comment of exactly this many bytes, or blank lines if there is no room for a comment. */
export function fillerComment(bytes: number, open: string, close: string, text = filler): string {
  const textBytes = bytes - open.length - close.length;
  return textBytes < 0 ? "\n".repeat(bytes) : open + text(textBytes) + close;
}
