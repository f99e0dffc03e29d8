/** Remarks about probable mistakes in a page's files, before it is loaded. Only a load shows them for certain, so a remark may be wrong. */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { startFile } from "../paths.ts";
import type { ImportedPage } from "./imported-page.ts";
import { isBrokenPicture } from "./picture-signature.ts";

/** Sentences for `./lab page check`. */
export function remarksOn(page: ImportedPage): string[] {
  const { scripts, refresh } = readStart(page);
  const files = [...page.files].filter(([path]) => [".js", ".mjs"].includes(extname(path).toLowerCase()));
  const all = [...scripts, ...files.map(([, { source }]) => readFileSync(source, "utf8"))];
  return [
    ...remarksOnReplacement(
      refresh ?? scripts.flatMap((script) => goal.exec(script)?.slice(1).filter(Boolean) ?? [])[0],
    ),
    ...sentence(
      asked(all),
      (words) => `It may ask a user: ${words}. The lab dismisses that, and names it before a run's first load.`,
    ),
    ...sentence(
      [...page.files].filter(([path, { source }]) => isBrokenPicture(path, source)).map(([path]) => path),
      (paths) =>
        `By their first bytes these are not pictures: ${paths}. A browser stops reading them, and the page is not measured.`,
    ),
    ...sentence(
      lackedPaths(all, page),
      (paths) => `Its scripts name paths that the folder lacks: ${paths}. If they request them, the answer is 404.`,
    ),
  ];
}

const sentence = (found: readonly string[], of: (words: string) => string): string[] =>
  found.length ? [of([...new Set(found)].join(", "))] : [];

/** A script that sets the page's location to a text. */
const goal =
  /\blocation(?:\.href)?\s*=\s*["'`]([^"'`#][^"'`]*)["'`]|\blocation\.(?:replace|assign)\(\s*["'`]([^"'`#][^"'`]*)["'`]/;

const remarksOnReplacement = (to: string | undefined): string[] =>
  to === undefined
    ? []
    : [`${startFile} may go on to ${to}. Then that page is to be loaded, as with --document or --pages.`];

const asked = (scripts: readonly string[]): string[] =>
  scripts.flatMap((script) =>
    [...script.matchAll(/(?<![\w$.]|function\s+)(alert|confirm|prompt)\(/g)].map(([, word]) => word!),
  );

/** Quoted paths from the root with an extension, as a bundler writes them. */
const lackedPaths = (scripts: readonly string[], { files }: ImportedPage): string[] =>
  scripts
    .flatMap((script) => [...script.matchAll(/["'`](\/[\w@./-]+\.[a-z][a-z0-9]{1,4})["'`]/g)].map(([, path]) => path!))
    .filter((path) => !path.startsWith("//") && !files.has(path.slice(1)));

/** The inline scripts of the start file, and where its `meta` element refreshes it to. */
function readStart({ files }: ImportedPage): { scripts: string[]; refresh: string | undefined } {
  const found: { scripts: string[]; refresh: string | undefined } = { scripts: [], refresh: undefined };
  const waiting: Tree.Node[] = [parse(readFileSync(files.get(startFile)!.source, "utf8"))];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if ("childNodes" in node) waiting.push(...node.childNodes.toReversed());
    if (!("tagName" in node)) continue;
    const values = new Map(node.attrs.map(({ name, value }) => [name, value]));
    if (node.tagName === "script")
      found.scripts.push(...node.childNodes.flatMap((one) => ("value" in one ? [one.value] : [])));
    if (node.tagName === "meta" && values.get("http-equiv")?.toLowerCase() === "refresh")
      found.refresh ??= /^\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i
        .exec(values.get("content") ?? "")?.[1]
        ?.trim();
  }
  return found;
}
