import { type FormatName, formats } from "./image.ts";
import type { ImageGroup, PageFile, SolvedImages } from "./page-file.ts";
import { rangeBytes } from "./printed-size.ts";
import { hash, shuffled } from "./random.ts";
import { logNormalSizes, type SolvedSizes, solveSizes } from "./sizes.ts";

export type PageObject = {
  /** The object's position on the page; the HTML itself is 0. */
  index: number;
  file: string;
  sizeBytes: number;
} & ({ kind: "script"; from: string } | { kind: "image"; format: FormatName; seed: number });

export interface Page extends PageFile {
  name: string;
  /** The path of the page's page.yml or of responses.yml, for messages. */
  path: string;
  objects: PageObject[];
  /** The sizes of each image group. */
  solved: SolvedSizes[];
}

/** Plans the objects. The same file gives the same objects on every machine. @throws LabError (usage) when the figures contradict each other */
export function makePage(name: string, path: string, file: PageFile): Page {
  const solved = file.images.map((group, place) => solveGroup(file, group, `${path}: images.${place}`));
  const images = file.images.flatMap((group, place) =>
    groupImages(group, solved[place] as SolvedSizes, hash(file.seed, place)),
  );
  const digits = String(file.scripts.length + images.length).length;
  const numbered = (index: number, format: FormatName) =>
    `${String(index).padStart(digits, "0")}.${formats[format].extension}`;
  const objects = [
    ...file.scripts.map(({ file, from, size }, place): PageObject => {
      return { kind: "script", index: place + 1, file, from, sizeBytes: size.bytes };
    }),
    ...images.map(({ format, sizeBytes }, place): PageObject => {
      const index = file.scripts.length + place + 1;
      return { kind: "image", index, file: numbered(index, format), sizeBytes, format, seed: hash(file.seed, index) };
    }),
  ];
  return { ...file, name, path, objects, solved };
}

/** Counts one request for the HTML, and one for each object. */
export const expectedRequests = (page: Pick<Page, "objects">): number => page.objects.length + 1;

export const totalBytes = (page: Pick<Page, "html" | "objects">): number =>
  page.objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, page.html.bytes);

/** The largest allowed size of a file. */
const mostBytes = 1e9;

function solveGroup(file: PageFile, group: ImageGroup, where: string): SolvedSizes {
  if (group.distribution === "list") return { sizesBytes: group.sizes.map(({ bytes }) => bytes).sort((a, b) => a - b) };
  if (group.distribution === "log-normal") {
    const { count, median, sigma, min, max } = group;
    const limits = { minBytes: min?.bytes ?? 1, maxBytes: max?.bytes ?? mostBytes };
    return { sizesBytes: logNormalSizes({ count, medianBytes: median.bytes, sigma, ...limits }) };
  }
  const { distribution, count, min, max } = group;
  const meanBytes = meanBytesOf(file, group);
  return solveSizes({ distribution, count, minBytes: min.bytes, maxBytes: max.bytes, meanBytes }, where);
}

/** Returns the middle of the means that the rounded mean and total both permit. With only the mean of 2.6 KB, page A could miss its total by 5 KB. */
function meanBytesOf(file: PageFile, { count, mean }: SolvedImages): number {
  if (!file.total || file.images.length > 1) return mean.bytes;
  const others = file.scripts.reduce((sum, { size }) => sum + size.bytes, file.html.bytes);
  const [from, below] = rangeBytes(mean);
  const [totalFrom, totalBelow] = rangeBytes(file.total);
  const lowest = Math.max(from, (totalFrom - others) / count);
  const highest = Math.min(below, (totalBelow - others) / count);
  return lowest < highest ? (lowest + highest) / 2 : mean.bytes;
}

/** Returns a group's images in seeded order. Each image gets a format in which its size is possible. */
function groupImages(group: ImageGroup, { sizesBytes }: SolvedSizes, seed: number) {
  return shuffled(sizesBytes, seed).map((sizeBytes, place) => {
    const able = group.formats.filter((format) => sizeBytes >= formats[format].minBytes);
    // If this size is impossible in all formats, checkPage reports an error.
    const format = able[hash(seed, place) % able.length] ?? (group.formats[0] as FormatName);
    return { sizeBytes, format };
  });
}
