import { z } from "zod";

/**
 * The size of a small picture of a browser's window. For each tile, row by row, the picture has four bytes: the red, green and blue of the
 * tile's mean colour, and 255. All four are 0 if the tile differs in another screenshot one second later, as in an animation.
 */
export const pictureTiles = { columns: 40, rows: 30 };

/** What a browser's window shows once a page has loaded. */
export const shownWindow = z.strictObject({
  /** The tiles, in base64. */
  picture: z.base64(),
  /** The paths (as in records) of the files of those img elements that are at least partly in the window. */
  images: z.array(z.string()),
});
export type ShownWindow = z.infer<typeof shownWindow>;

const tileBytes = 4;
/** Of 255. Text that has moved by a pixel changes its tiles by less than this; a missing button changes them by more (test/forged-page.test.ts). */
const leastDifference = 16;

/** Returns the share of tiles that differ, among those that did not change while either picture was taken. @param pictures in base64 */
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
