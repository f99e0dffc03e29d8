/** A size as printed in a paper: "2.6 KB" stands for all sizes that round to it. 1 KB = 1000 bytes, 1 MB = 1000 KB. */
export interface PrintedSize {
  text: string;
  bytes: number;
  /** One unit of the last digit: 100 bytes for "2.6 KB". */
  stepBytes: number;
}

const unitBytes = { B: 1, KB: 1000, MB: 1_000_000 };
type Unit = keyof typeof unitBytes;

const pattern = /^(\d{1,9})(?:\.(\d{1,6}))? (B|KB|MB)$/;
export const printedSizeHint = 'a size like "46 B", "2.6 KB" or "1.4 MB"';

/** @returns null if `text` is not a size, or has digits below one byte */
export function parsePrintedSize(text: string): PrintedSize | null {
  const [, whole, fraction = "", unit] = pattern.exec(text) ?? [];
  if (whole === undefined) return null;
  const stepBytes = unitBytes[unit as Unit] / 10 ** fraction.length;
  if (!Number.isInteger(stepBytes)) return null;
  // Integer arithmetic makes 12.8 KB exactly 12800.
  return { text, bytes: Number(whole + fraction) * stepBytes, stepBytes };
}

/** Formats `bytes` in the unit and with the precision of `like`, but leaves out the unit's name. */
export function printLike(like: PrintedSize, bytes: number): string {
  const [, , fraction = "", unit] = pattern.exec(like.text) ?? [];
  const steps = Math.round(bytes / like.stepBytes);
  return ((steps * like.stepBytes) / unitBytes[unit as Unit]).toFixed(fraction.length);
}

/** Returns the range of bytes that prints as `size`. The range includes the first value but not the second. */
export function rangeBytes(size: PrintedSize): [number, number] {
  return [size.bytes - size.stepBytes / 2, size.bytes + size.stepBytes / 2];
}

export function printsAs(bytes: number, size: PrintedSize): boolean {
  const [from, below] = rangeBytes(size);
  return bytes >= from && bytes < below;
}
