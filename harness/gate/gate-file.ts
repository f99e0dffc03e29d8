/** Reads `pageload.yml`, a file that is kept with the page and has a gate's options and budgets. */
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { usageError } from "../../schema/errors.ts";
import { readYamlFile } from "../../schema/yaml-file.ts";
import type { FileBudgets } from "./budgets.ts";

const schema = z.strictObject({
  page: z.string().optional(),
  against: z.string().optional(),
  /** HTML files in the page's folder. */
  pages: z.array(z.string()).min(1).optional(),
  links: z.array(z.string()).min(1).optional(),
  protocol: z.string().optional(),
  serverTimes: z.boolean().optional(),
  loads: z.int().min(1).max(1000).optional(),
  threshold: z.string().optional(),
  budgets: z.record(z.string(), z.record(z.string(), z.union([z.string(), z.number()]))).optional(),
});

export interface GateFileOptions {
  against?: string;
  pages: string;
  links: string;
  protocol: string;
  serverTimes?: boolean;
  loads: number;
  threshold: string;
}

/**
 * Paths in the file are relative to its folder. @param isTyped whether an option is on the command line, which then overrides the file
 * @throws LabError (usage) for a file that the schema does not allow, or if neither the file nor the command line names a page
 */
export function withGateFile<Options extends GateFileOptions>(
  page: string | undefined,
  { config, ...options }: Options & { config?: string },
  isTyped: (option: string) => boolean,
): { page: string; options: Omit<Options, "config">; budgets: FileBudgets } {
  const file = config === undefined ? {} : read(config);
  const { budgets = {}, pages, links, page: inFile, ...others } = file;
  const merged = { ...others, ...(pages && { pages: pages.join(",") }), ...(links && { links: links.join(",") }) };
  const untyped = Object.entries(merged).filter(([name, value]) => value !== undefined && !isTyped(name));
  const asked = page ?? inFile;
  if (asked === undefined)
    throw usageError("no page is given: name a folder or a HAR, or a --config file that has a page");
  return { page: asked, options: { ...options, ...Object.fromEntries(untyped) }, budgets };
}

function read(path: string): z.infer<typeof schema> {
  const file = readYamlFile(path, schema);
  const fromHere = (one: string | undefined) => one && resolve(dirname(path), one);
  return { ...file, page: fromHere(file.page), against: fromHere(file.against) };
}
