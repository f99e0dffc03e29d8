import { usageError } from "../schema/errors.ts";
import { origin, type Protocol } from "../schema/protocol.ts";
import { fillerComment } from "./filler.ts";
import type { Page, PageObject } from "./generated-page.ts";
import { htmlFile, objectHost, objectPath } from "./paths.ts";

/** The fields of a protocol that URLs depend on. */
export interface ProtocolPort extends Pick<Protocol, "scheme" | "port"> {
  name: string;
}

/** One version of a page's files: for one number of hosts, among which the page's objects are divided, and one protocol. */
export interface Variant {
  hostCount: number;
  protocol: ProtocolPort;
}

export interface PixelSize {
  width: number;
  height: number;
}

/**
 * Returns every variant's HTML by file name, in the size that the page's file requires. @throws LabError (usage) if that is too small for the objects
 * @param pixels the images' dimensions by object index, which are written into the HTML if every variant has room for them
 */
export function htmlFiles(page: Page, variants: Variant[], pixels: Map<number, PixelSize>): Map<string, string> {
  const spareBytes = (known: typeof pixels) =>
    page.html.bytes - Math.max(...variants.map((variant) => bytesOf(htmlParts(page, variant, known))));
  const used = spareBytes(pixels) >= 0 ? pixels : new Map<number, PixelSize>();
  const spare = spareBytes(used);
  if (spare < 0)
    throw usageError(
      `${page.path}: html: ${page.html.text} is too small for ${page.objects.length} objects; ${page.html.bytes - spare} B or more is allowed`,
    );
  return new Map(
    variants.map((variant) => [
      htmlFile(variant.hostCount, variant.protocol.name),
      padded(htmlParts(page, variant, used), page.html.bytes),
    ]),
  );
}

/** Returns the HTML in parts, such as an element for each object. Padding may go between the parts. */
function htmlParts(page: Page, { hostCount, protocol }: Variant, pixels: Map<number, PixelSize>): string[] {
  const url = (object: PageObject) => origin(objectHost(object.index, hostCount), protocol) + objectPath(page, object);
  const scripts = page.objects.filter(({ kind }) => kind === "script");
  const images = page.objects.filter(({ kind }) => kind === "image");
  return [
    // The icon is empty and inline, because the browser would otherwise request an icon.
    `<!doctype html><meta charset=utf-8><title>${page.name}</title><link rel=icon href=data:,>`,
    ...scripts.map((script) => `\n<script src=${url(script)}></script>`),
    "<body>",
    ...images.map((image) => `\n<img src=${url(image)}${dimensions(pixels.get(image.index))}>`),
    "\n",
  ];
}

const dimensions = (size?: PixelSize) => (size ? ` width=${size.width} height=${size.height}` : "");

const bytesOf = (parts: string[]) => Buffer.byteLength(parts.join(""));

/** The minimum padding between two parts of the HTML. Padding is an HTML comment; if it were shorter, it would be mostly delimiters. */
const leastShareBytes = 16;

/** Pads between the parts (only at the end if padding is short), so that browsers find objects while HTML is still arriving, as in real pages. */
function padded(parts: string[], sizeBytes: number): string {
  const spareBytes = sizeBytes - bytesOf(parts);
  const evenBytes = Math.floor(spareBytes / parts.length);
  const share = evenBytes < leastShareBytes ? 0 : evenBytes;
  const rest = spareBytes - share * (parts.length - 1);
  return parts
    .map((part, place) => part + fillerComment(place < parts.length - 1 ? share : rest, "<!-- ", " -->"))
    .join("");
}
