import { z } from "zod";
import { usageError } from "../schema/errors.ts";
import { readYamlFile } from "../schema/yaml-file.ts";
import { formatNames } from "./image.ts";
import { parsePrintedSize, printedSizeHint } from "./printed-size.ts";
import { distributions } from "./sizes.ts";
import { strict } from "./strict.ts";

const size = z.string({ error: `must be ${printedSizeHint}` }).transform((text, context) => {
  const parsed = parsePrintedSize(text);
  if (parsed && parsed.bytes > 0) return parsed;
  context.addIssue({ code: "custom", message: `"${text}" is not ${printedSizeHint}` });
  return z.NEVER;
});

export const script = strict({
  /** The script's file name on the page. */
  file: z.string().regex(/^[\w-]+\.js$/, { error: 'must be a file name like "jquery.js"' }),
  /** The file of an installed npm package that is padded to `size`. */
  from: z
    .string()
    .regex(/^[\w@-]+(\/[\w-][\w.-]*)+$/, { error: 'must be a file of a package, like "jquery/dist/jquery.min.js"' }),
  size,
});

const mostImages = 10_000;
const count = z.int().min(1).max(mostImages);
const imageFormats = z.array(z.enum(formatNames)).min(1);

/** Image sizes for which a paper prints the minimum, mean and maximum. */
export const images = strict({
  count,
  formats: imageFormats,
  distribution: z.enum(distributions),
  min: size,
  mean: size,
  max: size,
  /** The population standard deviation. It is checked, but does not affect the sizes. */
  stddev: size.optional(),
});

/** Log-normal sizes, as objects on the web have them (Barford and Crovella, SIGMETRICS 1998). */
export const logNormalImages = strict({
  count,
  formats: imageFormats,
  distribution: z.literal("log-normal"),
  /** The median of the sizes. */
  median: size,
  /** The standard deviation of the sizes' natural logarithms. */
  sigma: z.number().min(0).max(5),
  /** Smaller sizes are raised to this size. */
  min: size.optional(),
  /** Larger sizes are reduced to this size. */
  max: size.optional(),
});

export const listedImages = strict({
  formats: imageFormats,
  distribution: z.literal("list"),
  /** The sizes of the pictures, one for each picture. */
  sizes: z.array(size).min(1).max(mostImages),
});

const known = [...distributions, "log-normal", "list"];
const imageGroup = z.discriminatedUnion("distribution", [images, logNormalImages, listedImages], {
  error: ({ input }) =>
    `distribution "${(input as { distribution?: string }).distribution}" is unknown; known: ${known.join(", ")}`,
});

export const pageFile = strict({
  title: z.string().min(1),
  source: z.string().optional(),
  /** The seed of the pictures and of the order of their sizes. */
  seed: z
    .int()
    .min(0)
    .max(2 ** 31 - 1),
  /** The total size of HTML and all objects. */
  total: size.optional(),
  html: size,
  /** Files of npm packages, at the beginning of the page. */
  scripts: z.array(script).default([]),
  /** Groups of pictures, each with sizes of one distribution. */
  images: z.array(imageGroup).default([]),
});

export type ImageGroup = z.infer<typeof imageGroup>;
export type SolvedImages = z.infer<typeof images>;
export type PageFile = z.infer<typeof pageFile>;

/** @throws LabError (usage) naming the file, the key, and what is allowed */
export const readPageFile = (path: string): PageFile => readYamlFile<PageFile>(path, pageFile as z.ZodType<PageFile>);

const responses = z.record(
  z.string(),
  size.transform(
    (html): PageFile => ({ title: `one response of ${html.text}`, seed: 0, html, scripts: [], images: [] }),
  ),
);

/** Reads responses.yml: each entry is a page of HTML without objects. @throws LabError (usage) naming the file, the key, and what is allowed */
export function readResponsesFile(path: string): Record<string, PageFile> {
  const found = readYamlFile(path, responses as unknown as z.ZodType<Record<string, PageFile>>);
  const wrong = Object.keys(found).find((name) => !/^[\w-]+$/.test(name));
  if (wrong !== undefined) throw usageError(`${path}: "${wrong}": a page's name has only letters, digits, _ and -`);
  return found;
}
