import gifenc from "gifenc";
import { filler } from "./filler.ts";
import { type ImageFormat, insertAt } from "./image-format.ts";

/** Small images get few colours: each colour takes three bytes of the colour table, which must leave room for the pixels. */
const palettes = [
  { upToBytes: 150, colours: 2, bytesPerPixel: 0.17 },
  { upToBytes: 2000, colours: 16, bytesPerPixel: 0.4 },
  { upToBytes: Infinity, colours: 256, bytesPerPixel: 0.85 },
] as const;
const paletteFor = (sizeBytes: number) => palettes.find(({ upToBytes }) => sizeBytes <= upToBytes) ?? palettes[2];
/** The bytes of everything except the colour table and the pixels. */
const headerBytes = 35;

/** A comment extension has two bytes, then blocks of a length byte and 1 to 255 characters, then a zero byte. */
const frameBytes = 3;
const maxBlockBytes = 256;

export const gifFormat: ImageFormat = {
  extension: "gif",
  minBytes: 46,
  pixelsIn(sizeBytes) {
    const { colours, bytesPerPixel } = paletteFor(sizeBytes);
    return (sizeBytes - headerBytes - colours * 3) / bytesPerPixel;
  },
  encoder(picture, sizeBytes) {
    const { colours } = paletteFor(sizeBytes);
    const palette = gifenc.quantize(picture.rgba, colours);
    const pixels = gifenc.applyPalette(picture.rgba, palette);
    return (rows) => {
      const gif = gifenc.GIFEncoder();
      const depth = { colorDepth: Math.ceil(Math.log2(colours)) };
      gif.writeFrame(pixels.subarray(0, picture.width * rows), picture.width, rows, { palette, repeat: -1, ...depth });
      gif.finish();
      return Buffer.from(gif.bytes());
    };
  },
  canPad: (bytes) => bytes === 0 || bytes === frameBytes || bytes >= frameBytes + 2,
  pad: (file, bytes) => (bytes === 0 ? file : insertAt(file, file.length - 1, comment(bytes))),
};

function comment(bytes: number): Buffer {
  const blocks: Buffer[] = [];
  for (let left = bytes - frameBytes; left > 0; ) {
    // A block of one byte would be only a length byte of 0, which ends the comment. So at least two bytes are left for the last block.
    const blockBytes = left === maxBlockBytes + 1 ? maxBlockBytes - 1 : Math.min(left, maxBlockBytes);
    blocks.push(Buffer.from([blockBytes - 1]), Buffer.from(filler(blockBytes - 1)));
    left -= blockBytes;
  }
  return Buffer.concat([Buffer.from([0x21, 0xfe]), ...blocks, Buffer.from([0])]);
}
