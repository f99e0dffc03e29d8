import { constants, crc32 } from "node:zlib";
import { PNG } from "pngjs";
import { filler } from "./filler.ts";
import { type ImageFormat, insertAt } from "./image-format.ts";
import { crop } from "./picture.ts";

const headerBytes = 70;
const bytesPerPixel = 2;

/** The bytes of a chunk's length, type and checksum, without its data. */
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
      // Huffman coding only: zlib's search for repetitions gives other bytes on other processors, and photos have no repetitions anyway.
      deflateStrategy: constants.Z_HUFFMAN_ONLY,
    });
  },
  canPad: (bytes) => bytes === 0 || bytes >= chunkBytes,
  pad: (file, bytes) => (bytes === 0 ? file : insertAt(file, file.length - endChunkBytes, fillerChunk(bytes))),
};

/** Makes a chunk that decoders skip: the case of the type's letters (paDd) means ancillary, private and safe to copy. */
function fillerChunk(bytes: number): Buffer {
  const body = Buffer.from(`paDd${filler(bytes - chunkBytes)}`, "latin1");
  const chunk = Buffer.alloc(bytes);
  chunk.writeUInt32BE(bytes - chunkBytes, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), bytes - 4);
  return chunk;
}
