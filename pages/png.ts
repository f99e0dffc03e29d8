import { constants, crc32 } from "node:zlib";
import { PNG } from "pngjs";
import { filler } from "./filler.ts";
import { type ImageFormat, insertAt } from "./image-format.ts";
import { crop } from "./picture.ts";

const headerBytes = 70;
const bytesPerPixel = 2;

/** A chunk is a length, a type, the data and a check sum. */
const chunkBytes = 12;
const endChunkBytes = chunkBytes;

export const pngFormat: ImageFormat = {
  extension: "png",
  minBytes: 100,
  pixelsIn: (sizeBytes) => (sizeBytes - headerBytes) / bytesPerPixel,
  encoder: (picture) => (rows) => {
    const { width, height, rgba } = crop(picture, rows);
    const image = new PNG({ width, height });
    image.data = Buffer.from(rgba.buffer);
    return PNG.sync.write(image, {
      colorType: 2, // RGB
      filterType: 4, // Paeth
      // Finds no repetitions (a photo has none): what zlib finds depends on the processor it was built for, and the
      // bytes must be the same everywhere.
      deflateStrategy: constants.Z_HUFFMAN_ONLY,
    });
  },
  canPad: (bytes) => bytes === 0 || bytes >= chunkBytes,
  pad: (file, bytes) => (bytes === 0 ? file : insertAt(file, file.length - endChunkBytes, fillerChunk(bytes))),
};

/** The case of the letters says: ancillary, private, safe to copy. Decoders skip it. */
function fillerChunk(bytes: number): Buffer {
  const body = Buffer.from(`paDd${filler(bytes - chunkBytes)}`, "latin1");
  const chunk = Buffer.alloc(bytes);
  chunk.writeUInt32BE(bytes - chunkBytes, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), bytes - 4);
  return chunk;
}
