import { z } from "zod";

/**
 * The number of tiles in a small picture of a browser's window. The picture has four bytes for each tile, row by row: red, green and blue of
 * the tile's mean colour, and 255. All four are 0 if the tile looks different in a screenshot one second later, as in an animation.
 */
export const pictureTiles = { columns: 40, rows: 30 };

/** What a browser's window shows once a page has loaded. */
export const shownWindow = z.strictObject({
  /** The tiles, in base64. */
  picture: z.base64(),
  /** The paths (as in records) of the images (img elements) of which at least a part is in the window. */
  images: z.array(z.string()),
});
export type ShownWindow = z.infer<typeof shownWindow>;

const tileBytes = 4;
/** The least colour difference, of 255, that counts. Text moved by a pixel changes tiles less, a missing button more (test/forged-page.test.ts). */
const leastDifference = 16;

/** Returns the share of tiles that differ, among the tiles without animation in both pictures. @param pictures in base64 */
export function differentShare(...pictures: [string, string]): number {
  const [a, b] = pictures.map((one) => Buffer.from(one, "base64")) as [Buffer, Buffer];
  if (a.length !== b.length) return 1;
  let [still, different] = [0, 0];
  for (let at = 0; at < a.length; at += tileBytes) {
    if (a[at + tileBytes - 1] === 0 || b[at + tileBytes - 1] === 0) continue;
    still++;
    const apart = [0, 1, 2].map((i) => Math.abs(a[at + i]! - b[at + i]!));
    if (Math.max(...apart) >= leastDifference) different++;
  }
  return still === 0 ? 0 : different / still;
}
