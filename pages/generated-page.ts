import { type FormatName, formats } from "./image.ts";
import type { ImageGroup, PageFile } from "./page-file.ts";
import { rangeBytes } from "./printed-size.ts";
import { hash, shuffled } from "./random.ts";
import { type SolvedSizes, solveSizes } from "./sizes.ts";

/** An object the HTML asks for. */
export type PageObject = {
  /** Its place on the page; the HTML itself is 0. */
  index: number;
  file: string;
  sizeBytes: number;
} & ({ kind: "script"; from: string } | { kind: "image"; format: FormatName; seed: number });

/** A page: what its file says, and every object that follows from it. */
export interface Page extends PageFile {
  name: string;
  /** How messages call its file. */
  path: string;
  objects: PageObject[];
  /** By image group. */
  solved: SolvedSizes[];
}

/**
 * Pure: the same file gives the same objects, whatever the machine.
 * @throws LabError (usage) when the figures contradict each other
 */
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

/** The HTML and its objects. */
export const expectedRequests = (page: Pick<Page, "objects">): number => page.objects.length + 1;

/** Of the HTML and its objects: bodies, without headers. */
export const totalBytes = (page: Pick<Page, "html" | "objects">): number =>
  page.objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, page.html.bytes);

function solveGroup(file: PageFile, group: ImageGroup, where: string): SolvedSizes {
  const { distribution, count, min, max } = group;
  const meanBytes = meanBytesOf(file, group);
  return solveSizes({ distribution, count, minBytes: min.bytes, maxBytes: max.bytes, meanBytes }, where);
}

/**
 * The mean as exactly as the figures tell it: the middle of what the printed mean and the printed total both allow.
 * Page A's mean of 2.6 KB alone could be 5 KB off its total.
 */
function meanBytesOf(file: PageFile, { count, mean }: ImageGroup): number {
  if (!file.total || file.images.length > 1) return mean.bytes;
  const others = file.scripts.reduce((sum, { size }) => sum + size.bytes, file.html.bytes);
  const [from, below] = rangeBytes(mean);
  const [totalFrom, totalBelow] = rangeBytes(file.total);
  const lowest = Math.max(from, (totalFrom - others) / count);
  const highest = Math.min(below, (totalBelow - others) / count);
  return lowest < highest ? (lowest + highest) / 2 : mean.bytes;
}

/** Sizes in a seeded order, each with a format that can be that small. */
function groupImages(group: ImageGroup, { sizesBytes }: SolvedSizes, seed: number) {
  return shuffled(sizesBytes, seed).map((sizeBytes, place) => {
    const able = group.formats.filter((format) => sizeBytes >= formats[format].minBytes);
    // None is able: the check of the page says so.
    const format = able[hash(seed, place) % able.length] ?? (group.formats[0] as FormatName);
    return { sizeBytes, format };
  });
}
