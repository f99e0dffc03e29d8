/** Makes remarks about probable mistakes in a page's files. A remark may be wrong, because the page is not loaded to make it. */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { startFile } from "../paths.ts";
import type { ImportedPage } from "./imported-page.ts";
import { isBrokenPicture } from "./picture-signature.ts";

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
      (words) =>
        `The page may open dialogs: ${words}. The lab dismisses dialogs, and reports them before a run's first load.`,
    ),
    ...sentence(
      [...page.files].filter(([path, { source }]) => isBrokenPicture(path, source)).map(([path]) => path),
      (paths) =>
        `These files have names of pictures, but their first bytes are not a picture's: ${paths}. A browser stops reading such files, so the page cannot be measured.`,
    ),
    ...sentence(
      lackedPaths(all, page),
      (paths) =>
        `Scripts contain paths of missing files: ${paths}. If scripts request these files, the response is 404.`,
    ),
  ];
}

const sentence = (found: readonly string[], of: (words: string) => string): string[] =>
  found.length ? [of([...new Set(found)].join(", "))] : [];

/** Matches code that sets the page's location to a string literal. */
const goal =
  /\blocation(?:\.href)?\s*=\s*["'`]([^"'`#][^"'`]*)["'`]|\blocation\.(?:replace|assign)\(\s*["'`]([^"'`#][^"'`]*)["'`]/;

const remarksOnReplacement = (to: string | undefined): string[] =>
  to === undefined
    ? []
    : [`${startFile} may navigate to ${to}. If so, load that page instead, with --document or --pages.`];

const asked = (scripts: readonly string[]): string[] =>
  scripts.flatMap((script) =>
    [...script.matchAll(/(?<![\w$.]|function\s+)(alert|confirm|prompt)\(/g)].map(([, word]) => word!),
  );

/** Finds missing files whose paths are in scripts. Only quoted absolute paths with an extension count, as bundlers write them. */
const lackedPaths = (scripts: readonly string[], { files }: ImportedPage): string[] =>
  scripts
    .flatMap((script) => [...script.matchAll(/["'`](\/[\w@./-]+\.[a-z][a-z0-9]{1,4})["'`]/g)].map(([, path]) => path!))
    .filter((path) => !path.startsWith("//") && !files.has(path.slice(1)));

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
