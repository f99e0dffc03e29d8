import { writeFileSync } from "node:fs";
import type { Page } from "puppeteer-core";
import { frameName } from "../client.ts";

/** The size of frames: large enough to see what has been painted, at a few kilobytes per frame. */
const size = { maxWidth: 400, maxHeight: 300 };

/** Records a frame at each change of the display. @returns a function that stops and writes the frames, from the last before navigation start on */
export async function film(page: Page, folder: string): Promise<(navigationMs: number) => Promise<void>> {
  const frames: { atMs: number; picture: Buffer }[] = [];
  const session = await page.createCDPSession();
  session.on("Page.screencastFrame", ({ data, metadata: { timestamp = 0 }, sessionId }) => {
    frames.push({ atMs: timestamp * 1000, picture: Buffer.from(data, "base64") });
    session.send("Page.screencastFrameAck", { sessionId }).catch(() => {}); // the page may be gone
  });
  await session.send("Page.startScreencast", { format: "jpeg", quality: 60, ...size });
  return async (navigationMs) => {
    await session.send("Page.stopScreencast");
    await session.detach();
    const before = frames.findLastIndex(({ atMs }) => atMs <= navigationMs);
    for (const { atMs, picture } of frames.slice(Math.max(0, before)))
      writeFileSync(`${folder}/${frameName(Math.max(0, atMs - navigationMs))}`, picture);
  };
}
