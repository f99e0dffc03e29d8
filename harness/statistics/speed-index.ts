/** WebPageTest's Speed Index: how soon a page looks complete, computed from screenshots during the load. */

const levels = 256;
const channels = [0, 1, 2];

/** How many pixels have each of 256 levels of red, of green, and of blue: 768 counts. */
export type Histogram = Uint32Array;

/** @param pixels four bytes each: red, green, blue, and one that is ignored */
export function histogramOf(pixels: Uint8Array): Histogram {
  const counts = new Uint32Array(levels * channels.length);
  for (let at = 0; at + 3 < pixels.length; at += 4)
    for (const channel of channels) counts[channel * levels + pixels[at + channel]!]!++;
  return counts;
}

const difference = (one: Histogram, other: Histogram) =>
  one.reduce((sum, count, i) => sum + Math.abs(count - other[i]!), 0);

/**
 * Returns the visual completeness of each frame: 0 with the colours of the first frame, 1 with the colours of the last. It compares how many
 * pixels have each colour, not where they are. So content that only moves after it has appeared still counts as complete.
 */
export function visualCompleteness(frames: readonly Histogram[]): number[] {
  const [first, last] = [frames[0], frames.at(-1)];
  if (!first || !last) return [];
  const whole = difference(first, last);
  return frames.map((frame) => (whole === 0 ? 1 : Math.max(0, 1 - difference(frame, last) / whole)));
}

/** Returns the Speed Index: the area above visual completeness over time, in milliseconds. @param frames in the order of their times */
export function speedIndexMs(frames: readonly { ms: number; completeness: number }[]): number {
  const [first] = frames;
  let area = first?.ms ?? 0;
  for (const [i, { ms, completeness }] of frames.entries())
    area += (1 - completeness) * ((frames[i + 1]?.ms ?? ms) - ms);
  return area;
}
