import jpeg from "jpeg-js";
import { filler } from "./filler.ts";
import { type ImageFormat, insertAt } from "./image-format.ts";
import { crop } from "./picture.ts";

const quality = 80;
/** The bytes of start marker, JFIF segment, quantisation tables and Huffman tables. */
const headerBytes = 623;
/** Small pictures need more bytes per pixel: they have more detail, and a larger share of blocks that extend beyond the edge. */
const bytesPerPixel = (sizeBytes: number) => 0.317 + 4.5 / Math.sqrt(sizeBytes);

/** A comment segment is a marker, a length (which counts its own two bytes, too), and at most 65533 bytes of text. */
const markerBytes = 4;
const maxTextBytes = 65_533;

export const jpegFormat: ImageFormat = {
  extension: "jpg",
  minBytes: 900,
  pixelsIn: (sizeBytes) => (sizeBytes - headerBytes) / bytesPerPixel(sizeBytes),
  encoder: (picture) => (rows) => {
    const { width, height, rgba } = crop(picture, rows);
    return jpeg.encode({ width, height, data: rgba }, quality).data;
  },
  canPad: (bytes) => bytes === 0 || bytes >= markerBytes,
  pad: (file, bytes) => insertAt(file, afterJfif(file), comments(bytes)),
};

/** Returns the position after the JFIF segment, which must be the first segment after the two bytes of the start marker. */
const afterJfif = (file: Buffer) => 4 + file.readUInt16BE(4);

function comments(bytes: number): Buffer {
  const parts: Buffer[] = [];
  for (let left = bytes; left > 0; ) {
    // The remainder must still be long enough for another segment.
    const textBytes = left <= markerBytes + maxTextBytes ? left - markerBytes : maxTextBytes - markerBytes;
    const head = Buffer.from([0xff, 0xfe, 0, 0]);
    head.writeUInt16BE(textBytes + 2, 2);
    parts.push(head, Buffer.from(filler(textBytes)));
    left -= markerBytes + textBytes;
  }
  return Buffer.concat(parts);
}
