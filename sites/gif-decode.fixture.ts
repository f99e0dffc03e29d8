/** Decodes a GIF of one picture, without animation, for tests. Throws if the file is not well-formed. */
export function decodeGif(file: Buffer): { width: number; height: number; colours: number; pixels: number[] } {
  if (file.toString("latin1", 0, 6) !== "GIF89a") throw new Error("not a GIF");
  const colours = 2 << ((file[10] ?? 0) & 7);
  let at = 13 + colours * 3;
  let image: { width: number; height: number; pixels: number[] } | null = null;
  while (file[at] !== 0x3b) {
    if (file[at] === 0x21) at = readBlocks(file, at + 2).end;
    else if (file[at] === 0x2c && !image) {
      const [width, height] = [file.readUInt16LE(at + 5), file.readUInt16LE(at + 7)];
      const { data, end } = readBlocks(file, at + 11);
      image = { width, height, pixels: unpack(data, file[at + 10] ?? 0) };
      at = end;
    } else throw new Error(`an unknown block at ${at}`);
  }
  if (!image || at !== file.length - 1) throw new Error(`it ends at ${at} of ${file.length}`);
  if (image.pixels.length !== image.width * image.height) throw new Error(`it has ${image.pixels.length} pixels`);
  if (image.pixels.some((pixel) => pixel >= colours)) throw new Error("a pixel has no colour");
  return { ...image, colours };
}

/** Reads a chain of sub-blocks. A block of length zero ends the chain. */
function readBlocks(file: Buffer, start: number): { data: Buffer; end: number } {
  const blocks: Buffer[] = [];
  let at = start;
  for (let length = file.readUInt8(at); length > 0; length = file.readUInt8(at)) {
    blocks.push(file.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { data: Buffer.concat(blocks), end: at + 1 };
}

/** Decompresses GIF's LZW, in which codes have a growing width and the lowest bits come first. */
function unpack(data: Buffer, rootBits: number): number[] {
  const [clear, stop] = [1 << rootBits, (1 << rootBits) + 1];
  const pixels: number[] = [];
  let words: number[][] = [];
  let previous: number[] | null = null;
  let codeBits = rootBits + 1;
  for (let bit = 0; ; ) {
    let code = 0;
    for (let i = 0; i < codeBits; i++, bit++) code |= ((data.readUInt8(bit >> 3) >> (bit & 7)) & 1) << i;
    if (code === stop) return pixels;
    if (code === clear) {
      words = Array.from({ length: clear + 2 }, (_, i) => [i]);
      [previous, codeBits] = [null, rootBits + 1];
      continue;
    }
    const word: number[] | undefined =
      words[code] ?? (previous && code === words.length ? [...previous, previous[0] ?? 0] : undefined);
    if (!word) throw new Error(`an unknown code ${code}`);
    pixels.push(...word);
    if (previous && words.length < 4096) words.push([...previous, word[0] ?? 0]);
    if (words.length === 1 << codeBits && codeBits < 12) codeBits++;
    previous = word;
  }
}
