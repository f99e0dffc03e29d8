/** Makes pictures to replace missing pictures. Browsers detect a picture's format by its content and ignore its type (MIME Sniffing, section 6.1). */
import { type FormatName, formats, makeImage } from "../image.ts";

export const isPixelType = (type: string): boolean => type.startsWith("image/") && type !== "image/svg+xml";

/** A GIF of one pixel. */
const smallest = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=", "base64");

/** Makes a picture of this size in bytes. If the smallest picture is larger, returns the smallest picture. */
export function pictureOf(type: string, bytes: number): Buffer {
  // If the format's headers are too large for this size, a format with smaller headers is used.
  const format = [formatOf(type), "png" as const, "gif" as const].find((one) => formats[one].minBytes <= bytes);
  if (format) return makeImage(format, bytes, 1).file;
  const room = Math.max(0, bytes - smallest.length);
  // Browsers ignore bytes after the end of the picture.
  return formats.gif.canPad(room) ? formats.gif.pad(smallest, room) : Buffer.concat([smallest, Buffer.alloc(room)]);
}

export const isLargerPicture = (type: string, content: Buffer, { bytes }: { bytes: number }): boolean =>
  isPixelType(type) && content.length > bytes;
export const largerPicture = "larger than recorded, because no smaller picture exists";

const formatOf = (type: string): FormatName =>
  type === "image/gif" ? "gif" : /png|icon|bmp/.test(type) ? "png" : "jpeg";
