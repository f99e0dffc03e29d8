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
  /** What the picture itself takes of the file; the rest is padding. */
  encodedBytes: number;
}

/** The picture is made this much taller than it should need, because how well it compresses is not known before. */
const spareHeight = 1.25;
/** Padding of at most this share is good enough to stop searching. */
const paddingShare = 0.1;

/** A picture whose file is exactly `sizeBytes` long: cut to the height that just fits, then padded. */
export function makeImage(name: FormatName, sizeBytes: number, seed: number): Image {
  const format: ImageFormat = formats[name];
  const pixels = Math.max(format.pixelsIn(sizeBytes * (1 - paddingShare / 2)), 1);
  const width = Math.max(Math.round(Math.sqrt((pixels * 4) / 3)), 1);
  const picture = paint(width, Math.ceil((pixels / width) * spareHeight), seed);
  const encode = format.encoder(picture, sizeBytes);
  const fit = fitRows(encode, picture.height, sizeBytes, format.canPad);
  if (!fit) throw new Error(`a ${name} of ${sizeBytes} B cannot be made: the least is ${format.minBytes} B`);
  const file = format.pad(fit.encoded, sizeBytes - fit.encoded.length);
  return { file, width, height: fit.rows, encodedBytes: fit.encoded.length };
}

/** The most rows, out of at most `maxRows`, whose file still has room for its padding. */
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
    // A file grows by about the same with every row; where that does not lead on, halve what is left.
    const guess = Math.floor((rows * sizeBytes * (1 - paddingShare / 2)) / encoded.length);
    rows = attempt < 3 ? Math.min(Math.max(guess, least), tooMany - 1) : Math.floor((least + tooMany - 1) / 2);
  }
  return fit;
}
