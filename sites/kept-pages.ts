/** Keeps pages in a run, so that loads can be repeated. Other people may have made the run, so its pages must never replace the lab's pages. */
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { usageError } from "../schema/errors.ts";
import { readYamlFile } from "../schema/yaml-file.ts";
import { copyPage, givenPages, mostPageBytes, pageNameOf } from "./given-page.ts";
import { pageFile, readImportedPage } from "./imported/imported-page.ts";
import { pageFileName, readFolder } from "./imported/page-folder.ts";

const inRun = (runFolder: string) => `${runFolder}/pages`;

/** Copies the pages that do not belong to the lab into the run's folder. */
export function keepPages(names: readonly string[], runFolder: string): void {
  for (const name of names.filter((one) => isOfContent(one) && existsSync(`${givenPages}/${one}`)))
    cpSync(`${givenPages}/${name}`, `${inRun(runFolder)}/${name}`, { recursive: true });
}

/** Restores the pages that a run keeps, before loads are repeated. @throws LabError (usage) for a page whose content does not match its name */
export function restorePages(runFolder: string): void {
  if (!existsSync(inRun(runFolder))) return;
  for (const name of readdirSync(inRun(runFolder)).filter(isOfContent)) {
    if (existsSync(`${givenPages}/${name}`)) continue;
    const folder = `${inRun(runFolder)}/${name}`;
    const bytes = [...readFolder(folder).values()].reduce((sum, file) => sum + file.bytes, 0);
    if (bytes > mostPageBytes)
      throw usageError(`${folder} has ${Math.round(bytes / 1e6)} MB, but a page may have ${mostPageBytes / 1e6} MB`);
    const page = readImportedPage(name, folder);
    if (pageNameOf(page) !== name)
      throw usageError(`${folder} is not the page that the run loaded: its files have the hash of ${pageNameOf(page)}`);
    copyPage(page, `${givenPages}/${name}`);
  }
}

/** Returns `hosts` in the page.yml of a page that a run keeps; empty if page.yml assigns no hosts, or if the run does not keep the page. */
export function keptHosts(runFolder: string, name: string): Readonly<Record<string, number>> {
  const path = `${inRun(runFolder)}/${name}/${pageFileName}`;
  return isOfContent(name) && existsSync(path) ? readYamlFile(path, pageFile).hosts : {};
}

/** In a copy of a run, removes pages whose folder is not named by a hash: older versions of the lab would mistake them for the lab's pages. */
export function removeOtherPages(runFolder: string): void {
  if (!existsSync(inRun(runFolder))) return;
  for (const name of readdirSync(inRun(runFolder)).filter((one) => !isOfContent(one)))
    rmSync(`${inRun(runFolder)}/${name}`, { recursive: true });
}

/** Whether a page is named by the hash of its files. */
export const isOfContent = (name: string): boolean => /^page-[0-9a-f]{12}$/.test(name);
