/** How soon a page looks as it will look in the end, from frames of what it showed (WebPageTest's Speed Index). */

const levels = 256;
const channels = [0, 1, 2];

/** How many pixels have each of 256 levels of red, of green, and of blue: 768 counts. */
export type Histogram = Uint32Array;

/** @param pixels four bytes each: red, green, blue, and one that does not count */
export function histogramOf(pixels: Uint8Array): Histogram {
  const counts = new Uint32Array(levels * channels.length);
  for (let at = 0; at + 3 < pixels.length; at += 4)
    for (const channel of channels) counts[channel * levels + pixels[at + channel]!]!++;
  return counts;
}

const difference = (one: Histogram, other: Histogram) =>
  one.reduce((sum, count, i) => sum + Math.abs(count - other[i]!), 0);

/**
 * Visual completeness of each frame, 0 to 1: how much of what the last one's colours differ by from the first one's is gone. By
 * colours, not by places, so that what moves is no less complete.
 */
export function visualCompleteness(frames: readonly Histogram[]): number[] {
  const [first, last] = [frames[0], frames.at(-1)];
  if (!first || !last) return [];
  const whole = difference(first, last);
  return frames.map((frame) => (whole === 0 ? 1 : Math.max(0, 1 - difference(frame, last) / whole)));
}

/** The area above visual completeness over time, in milliseconds. @param frames in the order of their times */
export function speedIndexMs(frames: readonly { ms: number; completeness: number }[]): number {
  const [first] = frames;
  let area = first?.ms ?? 0;
  for (const [i, { ms, completeness }] of frames.entries())
    area += (1 - completeness) * ((frames[i + 1]?.ms ?? ms) - ms);
  return area;
}
