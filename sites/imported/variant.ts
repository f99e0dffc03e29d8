/** Builds an imported page's variants, one for each number of hosts and protocol. With several hosts, all references become absolute URLs. */
import { link, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { origin } from "../../schema/protocol.ts";
import type { Variant } from "../html.ts";
import { importedPath, objectHost, serverTimesFile, startFile, variantName } from "../paths.ts";
import { isNamedAsCopy, linkCopies, writeCopies } from "./compressed-copies.ts";
import { configuredHost, type ImportedPage } from "./imported-page.ts";
import { type Reference, rewrite } from "./place.ts";
import { findResources, type Resources, type Text } from "./resources.ts";

/** An empty resource that causes no request. It replaces references to other origins. */
const nothing = "data:,";

/**
 * Returns each file's host. The start file is on s1. Other files are on the host in page.yml; without one, objects are divided among the hosts in
 * turn, from s2 on, and the rest is on s1. Missing files are requested from s1, because a browser hides the status of another origin's response.
 */
export function hostsOf(page: ImportedPage, { found }: Resources, hostCount: number): Map<string, string> {
  let turn = 0;
  const others = [...page.files.keys()].flatMap((path): [string, string][] => {
    const asked = configuredHost(page, path);
    return asked === null ? [] : [[path, objectHost(asked - 1, hostCount)]];
  });
  const requested = found.map(({ path, as }): [string, string] => {
    const asked = configuredHost(page, path);
    if (path === startFile || !page.files.has(path)) return [path, objectHost(0, hostCount)];
    if (asked !== null) return [path, objectHost(asked - 1, hostCount)];
    return [path, objectHost(as === "object" ? ++turn : 0, hostCount)];
  });
  return new Map([...others, ...requested]);
}

/** Rewrites a text of the page with the URLs of a variant. */
export function textIn(text: Text, hosts: ReadonlyMap<string, string>, variant: Variant): Buffer {
  const { hostCount, protocol } = variant;
  const to = (reference: Reference): string => {
    const target = text.targetOf(reference);
    if (!target) return reference.url;
    if ("outside" in target) return nothing;
    if (hostCount === 1) return target.asItStands ? reference.url : importedPath(target.path) + target.suffix;
    const own = objectHost(0, hostCount); // also for files that page.yml does not assign, if only other HTML files reference them
    const host = reference.as === "object" || reference.as === "unasked" ? (hosts.get(target.path) ?? own) : own;
    return origin(host, protocol) + importedPath(target.path) + target.suffix;
  };
  return text.toBytes(rewrite(text.text, text.places, to));
}

/** Writes a folder for each variant into `outDir`. Files that are not rewritten are hard links to a single copy. */
export async function buildImportedPage(page: ImportedPage, outDir: string, variants: Variant[]): Promise<void> {
  const resources = findResources(page);
  const texts = new Map(resources.texts.map((text) => [text.path, text]));
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, serverTimesFile), JSON.stringify(page.serverTimes));
  const unchanged = new Map<string, string>();
  const asTheyAre = new Set(page.uncompressed);
  for (const variant of variants) {
    const folder = join(outDir, variantName(variant.hostCount, variant.protocol.name));
    const hosts = hostsOf(page, resources, variant.hostCount);
    for (const [path, { source, bytes }] of page.files) {
      if (isNamedAsCopy(path, page.files)) continue;
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true });
      const text = texts.get(path);
      const written = unchanged.get(path);
      if (written) {
        await link(written, target);
        if (!asTheyAre.has(path)) await linkCopies(written, target, bytes);
        continue;
      }
      const content = text ? textIn(text, hosts, variant) : await readFile(source);
      await writeFile(target, content);
      if (!asTheyAre.has(path)) await writeCopies(target, content);
      if (!text) unchanged.set(path, target);
    }
  }
}
