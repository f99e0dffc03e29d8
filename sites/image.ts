import { gifFormat } from "./gif.ts";
import type { ImageFormat } from "./image-format.ts";
import { jpegFormat } from "./jpeg.ts";
import { paint } from "./picture.ts";
import { pngFormat } from "./png.ts";

export const formats = { jpeg: jpegFormat, png: pngFormat, gif: gifFormat } satisfies Record<string, ImageFormat>;
export type FormatName = keyof typeof formats;
export const formatNames = Object.keys(formats) as [FormatName, ...FormatName[]];

export interface Image {
  file: Buffer;
  width: number;
  height: number;
  /** The file's size without padding. */
  encodedBytes: number;
}

/** The factor by which the picture is painted taller than estimated, because its compression is not known in advance. */
const spareHeight = 1.25;
/** The search ends when padding is at most this share of the file. */
const paddingShare = 0.1;

/** Larger files are padded beyond this size, because painting and encoding 24 MB would take as long as building all other pages. */
export const mostEncodedBytes = 1e6;

/** Makes an image file of exactly `sizeBytes`: a picture cropped to the height that fits, with padding. */
export function makeImage(name: FormatName, sizeBytes: number, seed: number): Image {
  const format: ImageFormat = formats[name];
  const aimBytes = Math.min(sizeBytes, mostEncodedBytes);
  const pixels = Math.max(format.pixelsIn(aimBytes * (1 - paddingShare / 2)), 1);
  const width = Math.max(Math.round(Math.sqrt((pixels * 4) / 3)), 1);
  const picture = paint(width, Math.ceil((pixels / width) * spareHeight), seed);
  const encode = format.encoder(picture, aimBytes);
  const fit = fitRows(encode, picture.height, aimBytes, (bytes) => format.canPad(bytes + sizeBytes - aimBytes));
  if (!fit) throw new Error(`a ${name} of ${sizeBytes} B is impossible: the minimum is ${format.minBytes} B`);
  const file = format.pad(fit.encoded, sizeBytes - fit.encoded.length);
  return { file, width, height: fit.rows, encodedBytes: fit.encoded.length };
}

/** Searches for the number of rows, up to `maxRows`, whose file can be padded to `sizeBytes` with little padding. */
function fitRows(encode: (rows: number) => Buffer, maxRows: number, sizeBytes: number, canPad: ImageFormat["canPad"]) {
  let fit: { rows: number; encoded: Buffer } | null = null;
  let tooMany = maxRows + 1;
  let rows = Math.max(Math.round(maxRows / spareHeight), 1);
  for (let attempt = 0; tooMany - (fit?.rows ?? 0) > 1; attempt++) {
    const encoded = encode(rows);
    const paddingBytes = sizeBytes - encoded.length;
    if (paddingBytes >= 0 && canPad(paddingBytes)) fit = { rows, encoded };
    else tooMany = rows;
    if (fit && sizeBytes - fit.encoded.length <= sizeBytes * paddingShare) break;
    const least = (fit?.rows ?? 0) + 1;
    // Interpolates, because files grow about linearly with the rows; bisects after three attempts.
    const guess = Math.floor((rows * sizeBytes * (1 - paddingShare / 2)) / encoded.length);
    rows = attempt < 3 ? Math.min(Math.max(guess, least), tooMany - 1) : Math.floor((least + tooMany - 1) / 2);
  }
  return fit;
}
