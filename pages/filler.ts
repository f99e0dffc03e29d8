const sentence = "This text only makes the file as large as its page.yml says. ";

/** Text of exactly this many bytes, without characters that could end a comment. */
export function filler(bytes: number): string {
  return sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes);
}

/** A comment of exactly this many bytes, or blank lines where there is no room for one. */
export function fillerComment(bytes: number, open: string, close: string): string {
  const textBytes = bytes - open.length - close.length;
  return textBytes < 0 ? "\n".repeat(bytes) : open + filler(textBytes) + close;
}
