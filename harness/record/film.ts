/** The film of a captured load: its frames, how complete the page was in each, and the Speed Index. */
import jpeg from "jpeg-js";
import { z } from "zod";
import { histogramOf, speedIndexMs, visualCompleteness } from "../statistics/speed-index.ts";

const frame = /^frame-([\d.]+)ms\.jpg$/;
export const isFrame = (name: string) => frame.test(name);

export const filmSchema = z.strictObject({
  speedIndexMs: z.number(),
  /** In the order of their times since navigation start; the first shows the screen before navigation. */
  frames: z.array(z.strictObject({ name: z.string().regex(frame), ms: z.number(), completeness: z.number() })),
});
export type Film = z.infer<typeof filmSchema>;

/** @param files a capture's files, by name @returns null if the client recorded no frames */
export function filmOf(files: ReadonlyMap<string, Buffer>): Film | null {
  const found = [...files]
    .flatMap(([name, picture]) => {
      const ms = frame.exec(name)?.[1];
      return ms === undefined ? [] : [{ name, ms: Number(ms), picture }];
    })
    .sort((a, b) => a.ms - b.ms);
  if (found.length === 0) return null;
  const shares = visualCompleteness(found.map(({ picture }) => histogramOf(jpeg.decode(picture).data)));
  const frames = found.map(({ name, ms }, i) => ({ name, ms, completeness: Math.round(shares[i]! * 1000) / 1000 }));
  return { speedIndexMs: Math.round(speedIndexMs(frames)), frames };
}
