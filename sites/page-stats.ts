import { mean, standardDeviation } from "simple-statistics";
import { usageError } from "../schema/errors.ts";
import { expectedRequests, type Page, totalBytes } from "./generated-page.ts";
import { formats } from "./image.ts";
import type { ImageGroup } from "./page-file.ts";
import { type PrintedSize, printLike, printsAs } from "./printed-size.ts";

export interface GroupStats {
  min: number;
  mean: number;
  max: number;
  stddev: number;
}

/** Computes statistics of sizes, in bytes. `stddev` is the population standard deviation. */
export function groupStats(sizesBytes: number[]): GroupStats {
  return {
    min: Math.min(...sizesBytes),
    mean: mean(sizesBytes),
    max: Math.max(...sizesBytes),
    stddev: standardDeviation(sizesBytes),
  };
}

const figures = ["min", "mean", "max", "stddev"] as const;

/** Returns a figure as printed in the page's file; undefined for lists, and for log-normal sizes, whose `min` and `max` are only limits. */
const figureOf = (group: ImageGroup, key: (typeof figures)[number]): PrintedSize | undefined =>
  group.distribution === "list" || group.distribution === "log-normal" ? undefined : group[key];

/** Returns the size whose unit and precision are used for figures that are not in the file. */
function usualFigure(group: ImageGroup): PrintedSize {
  if (group.distribution === "list") return group.sizes[0]!;
  return group.distribution === "log-normal" ? group.median : group.mean;
}

/** Checks a page's objects against the printed figures in its file. */
export function checkPage(page: Page): void {
  page.images.forEach((group, place) => {
    const stats = groupStats(page.solved[place]?.sizesBytes ?? []);
    for (const key of figures) checkFigure(`${page.path}: images.${place}.${key}`, figureOf(group, key), stats[key]);
  });
  checkFigure(`${page.path}: total`, page.total, totalBytes(page));
  for (const object of page.objects)
    if (object.kind === "image" && object.sizeBytes < formats[object.format].minBytes)
      throw usageError(
        `${page.path}: an image of ${object.sizeBytes} B is too small for ${object.format}; ` +
          `allowed: ${Object.entries(formats)
            .map(([name, { minBytes }]) => `${name} from ${minBytes} B`)
            .join(", ")}`,
      );
  const files = page.objects.map(({ file }) => file);
  const twice = files.find((file, place) => files.indexOf(file) !== place);
  if (twice) throw usageError(`${page.path}: scripts: the file "${twice}" appears twice`);
}

function checkFigure(where: string, printed: PrintedSize | undefined, bytes: number): void {
  if (!printed || printsAs(bytes, printed)) return;
  throw usageError(
    `${where}: the other figures give ${printLike(printed, bytes)}, not ${printed.text}; change one of them`,
  );
}

export interface PageRow {
  name: string;
  title: string;
  resources: number;
  bytes: number;
  /** The sizes in words, with the precision of the page's file. */
  stats: string;
}

export function describeGenerated(page: Page): PageRow {
  const parts = [
    `HTML ${page.html.text}`,
    ...page.scripts.map(({ file, size }) => `${file} ${size.text}`),
    ...page.images.map((_, place) => describeGroup(page, place)),
  ];
  return {
    name: page.name,
    title: page.title,
    resources: expectedRequests(page),
    bytes: totalBytes(page),
    stats: parts.join("; "),
  };
}

function describeGroup(page: Page, place: number): string {
  const group = page.images[place];
  if (!group) return "";
  const stats = groupStats(page.solved[place]?.sizesBytes ?? []);
  const printed = figures.map((key) => {
    const like = figureOf(group, key) ?? usualFigure(group);
    return `${key} ${printLike(like, stats[key])} ${like.text.split(" ")[1]}`;
  });
  return `${page.solved[place]?.sizesBytes.length} ${group.formats.join("/")}: ${printed.join(", ")}`;
}
