import type { Picture } from "./picture.ts";

/** An image file format: how to encode a picture in it, and how to make such a file longer without changing the picture. */
export interface ImageFormat {
  extension: string;
  /** From this size on, every size can be made. */
  minBytes: number;
  /** About how many pixels fill a file of `sizeBytes`; the rest is found by trying. */
  pixelsIn(sizeBytes: number): number;
  /** Prepares what does not depend on the height, and encodes the first `rows` of the picture. */
  encoder(picture: Picture, sizeBytes: number): (rows: number) => Buffer;
  /** Whether `pad` can add exactly that many bytes. */
  canPad(bytes: number): boolean;
  pad(file: Buffer, bytes: number): Buffer;
}

/** `insertion` put into a file. */
export const insertAt = (file: Buffer, offset: number, insertion: Buffer): Buffer =>
  Buffer.concat([file.subarray(0, offset), insertion, file.subarray(offset)]);
