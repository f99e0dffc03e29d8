import { hash, mix } from "./random.ts";

/** Pixels row by row: red, green, blue, 255. */
export interface Picture {
  width: number;
  height: number;
  rgba: Uint8Array<ArrayBuffer>;
}

/** Three sizes of hills: how many hills are side by side, and their weight. */
const octaves = [
  { hills: 2.5, share: 0.6 },
  { hills: 7, share: 0.3 },
  { hills: 19, share: 0.1 },
];

/** Paints soft hills with film grain, which compress about as well as a photo. A cropped picture equals one that was painted with fewer rows. */
export function paint(width: number, height: number, seed: number): Picture {
  const rgba = new Uint8Array(width * height * 4);
  const colours = [0, 1, 2].map((colour) => [0, 1, 2].map((channel) => 24 + (hash(seed, 1, colour, channel) % 208)));
  const addHills = octaves.map(({ hills, share }, index) =>
    noise(width, Math.max(width / hills, 2), share, hash(seed, 2, index)),
  );
  const grainSeed = hash(seed, 3);
  const levels = new Float64Array(width);
  for (let y = 0; y < height; y++) {
    levels.fill(0);
    for (const add of addHills) add(levels, y);
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      paintPixel(rgba, pixel * 4, colours, levels[x] as number, grain(mix(grainSeed, pixel)));
    }
  }
  return { width, height, rgba };
}

/** Copies the first rows. A copy is necessary, because the encoders use the complete buffer. */
export function crop({ width, rgba }: Picture, height: number): Picture {
  return { width, height, rgba: rgba.slice(0, width * height * 4) };
}

function paintPixel(rgba: Uint8Array, at: number, colours: number[][], level: number, grain: number): void {
  const step = level < 0.5 ? 0 : 1;
  const share = level * 2 - step;
  const from = colours[step] as number[];
  const to = colours[step + 1] as number[];
  for (let channel = 0; channel < 3; channel++) {
    const value = (from[channel] as number) * (1 - share) + (to[channel] as number) * share + grain;
    rgba[at + channel] = value < 0 ? 0 : value > 255 ? 255 : value;
  }
  rgba[at + 3] = 255;
}

/** Value noise: random heights up to `share` on a grid of `cell` pixels, interpolated. @returns a function that adds row y to `levels` */
function noise(width: number, cell: number, share: number, seed: number): (levels: Float64Array, y: number) => void {
  const heights = new Float64Array(Math.floor(width / cell) + 2);
  const weights = new Float64Array(width).map((_, x) => smooth(x / cell - Math.floor(x / cell)));
  return (levels, y) => {
    const row = Math.floor(y / cell);
    const down = smooth(y / cell - row);
    for (let column = 0; column < heights.length; column++) {
      const [above, below] = [hash(seed, row, column), hash(seed, row + 1, column)];
      heights[column] = ((above * (1 - down) + below * down) / 2 ** 32) * share;
    }
    for (let x = 0; x < width; x++) {
      const column = Math.floor(x / cell);
      const along = weights[x] as number;
      levels[x]! += (heights[column] as number) * (1 - along) + (heights[column + 1] as number) * along;
    }
  };
}

const smooth = (t: number) => t * t * (3 - 2 * t);

/** Adds up the four bytes of a hash, which gives bell-shaped noise with a standard deviation of about 15 levels. */
function grain(bits: number): number {
  const sum = (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24);
  return (sum - 510) / 10;
}
