import type { Picture } from "./picture.ts";

/** An image file format: how to encode a picture, and how to pad a file without changing the picture. */
export interface ImageFormat {
  extension: string;
  /** The smallest possible file size. Every larger size is possible, too. */
  minBytes: number;
  /** Estimates the number of pixels in a file of `sizeBytes`. An estimate is enough, because the exact height is found by encoding. */
  pixelsIn(sizeBytes: number): number;
  /** @returns a function that encodes the first `rows` rows of the picture */
  encoder(picture: Picture, sizeBytes: number): (rows: number) => Buffer;
  /** Whether `pad` can add exactly this many bytes. */
  canPad(bytes: number): boolean;
  pad(file: Buffer, bytes: number): Buffer;
}

export const insertAt = (file: Buffer, offset: number, insertion: Buffer): Buffer =>
  Buffer.concat([file.subarray(0, offset), insertion, file.subarray(offset)]);
