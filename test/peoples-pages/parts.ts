/** Parts of small test pages: images, sound, a font, and the HTML around them. */
import { readFileSync } from "node:fs";
import { PNG } from "pngjs";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Makes an image of noise, which does not compress. It has about 3 bytes for each pixel. */
export function noise(pixels: number, seed = pixels): Buffer {
  const random = xoroshiro128plus(seed);
  const image = new PNG({ width: pixels, height: pixels });
  for (let i = 0; i < image.data.length; i++) image.data[i] = i % 4 === 3 ? 255 : random.next() & 255;
  return PNG.sync.write(image);
}

/** Makes a WAV file of silence, which media elements fetch by ranges. */
export function sound(seconds: number): Buffer {
  const rate = 44_100;
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + rate * seconds, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    header.writeUInt16LE(value, at);
  for (const at of [24, 28]) header.writeUInt32LE(rate, at);
  header.write("data", 36);
  header.writeUInt32LE(rate * seconds, 40);
  return Buffer.concat([header, Buffer.alloc(rate * seconds, 128)]);
}

/** The smallest images of these formats. */
export const avif = Buffer.from(
  "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgANogQEAwgMg8f8D///8WfhwB8+ErK42A=",
  "base64",
);
export const webp = Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64");

export const font = readFileSync("pages/article/text.ttf");
const words = `<p>${"Words of a text. ".repeat(60)}</p>`;
export const html = (body: string, head = "") =>
  `<!doctype html><meta charset="utf-8"><title>A page</title>${head}${words}${body}`;
export const script = (code: string) => `<script>${code}</script>`;
export const picture = '<img src="a.png" width="100" height="100">';
/** Files that most pages have. */
export const common = { "a.png": noise(60) };
export const next = { "next.html": html('<img src="b.png">'), "b.png": noise(61) };
export const rules = (kind: string) =>
  `<script type="speculationrules">{"${kind}": [{"urls": ["next.html"], "eagerness": "immediate"}]}</script>`;
