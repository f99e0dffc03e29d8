/** Captures what the browser's window shows after a load: a small picture for comparison with other pages, and the paths of visible images. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "puppeteer-core";
import { pictureTiles, type ShownWindow } from "../../schema/picture.ts";
import { hostAndPathOf } from "../../schema/recorded-names.ts";
import { ownWorld } from "./own-world.ts";

/** Parts of the picture that change within this time belong to an animation or a video. */
const stillMs = 1000;

/** @param inRecords converts a URL of a recorded page to the form that records use */
export async function windowOf(page: Page, inRecords = (url: string) => url): Promise<ShownWindow> {
  const urls = await ownWorld(page).evaluate(imagesInWindow);
  return {
    picture: await pictureOf(page),
    images: [...new Set(urls.map((url) => hostAndPathOf(inRecords(url)).path))],
  };
}

/** Returns the URLs of the images inside the window. Runs in the page's process. */
const imagesInWindow = (): string[] =>
  [...document.images].flatMap((image) => {
    const { top, bottom, left, right } = image.getBoundingClientRect();
    const isInside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    return isInside && /^https?:/.test(image.currentSrc) ? [image.currentSrc] : [];
  });

async function pictureOf(page: Page): Promise<string> {
  const shoot = () => page.screenshot({ encoding: "base64", captureBeyondViewport: false, optimizeForSpeed: true });
  const first = await shoot();
  await sleep(stillMs);
  return ownWorld(page).evaluate(readTiles, [first, await shoot()], pictureTiles);
}

/** Scales two screenshots, and blanks the tiles in which they differ. Runs in the page's process, because the browser decodes and scales. */
async function readTiles(shots: string[], { columns, rows }: typeof pictureTiles): Promise<string> {
  const all: Uint8ClampedArray[] = [];
  for (const shot of shots) {
    const bytes = Uint8Array.from(atob(shot), (one) => one.charCodeAt(0));
    const options = { resizeWidth: columns, resizeHeight: rows, resizeQuality: "high" } as const;
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }), options);
    const context = new OffscreenCanvas(columns, rows).getContext("2d")!;
    context.drawImage(bitmap, 0, 0);
    all.push(context.getImageData(0, 0, columns, rows).data);
  }
  const [first, second] = all as [Uint8ClampedArray, Uint8ClampedArray];
  for (let at = 0; at < first.length; at += 4)
    if (first.subarray(at, at + 4).some((value, i) => value !== second[at + i])) first.fill(0, at, at + 4);
  return btoa(String.fromCharCode(...first));
}
