import { z } from "zod";

/** A browser's window, as a page sees it. */
export const browserWindow = z.strictObject({
  /** Width and height in CSS pixels. */
  width: z.int().min(1).max(10_000),
  height: z.int().min(1).max(10_000),
  /** Whether the window behaves like a phone's: `meta` viewports count, and it has a touch screen. */
  mobile: z.boolean(),
  /** Device pixels per CSS pixel. */
  scale: z.number().positive().max(10),
});
export type BrowserWindow = z.infer<typeof browserWindow>;

/** The window of the lab's browsers, if nothing sets another. */
export const labWindow: BrowserWindow = { width: 800, height: 600, mobile: false, scale: 1 };
