/** Pictures in place of missing ones. Browsers find a picture's format by its content, whatever its type is (MIME Sniffing, section 6.1). */
import { type FormatName, formats, makeImage } from "../image.ts";

/** Whether browsers read this type as pixels. SVG is a text. */
export const isPixelType = (type: string): boolean => type.startsWith("image/") && type !== "image/svg+xml";

/** Larger pictures would take seconds to make. */
const mostPictureBytes = 1e6;
/** A GIF of one pixel. */
const smallest = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=", "base64");

/** A picture of this size. Above a limit it is smaller, and below the size of the smallest picture it is larger. */
export function pictureOf(type: string, bytes: number): Buffer {
  // Formats for photos have large headers, so a small picture has another format.
  const format = [formatOf(type), "png" as const, "gif" as const].find((one) => formats[one].minBytes <= bytes);
  if (format) return makeImage(format, Math.min(bytes, mostPictureBytes), 1).file;
  const room = bytes - smallest.length;
  return formats.gif.canPad(room) ? formats.gif.pad(smallest, room) : smallest;
}

const formatOf = (type: string): FormatName =>
  type === "image/gif" ? "gif" : /png|icon|bmp/.test(type) ? "png" : "jpeg";
