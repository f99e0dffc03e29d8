import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { stampFile } from "./paths.ts";

/** Written last into a page's folder, as stampFile: what it was made from, and how large every file must be. */
interface Stamp {
  hash: string;
  sizesBytes: Record<string, number>;
}

/** A folder to be there. */
export interface SiteFolder {
  name: string;
  /** All that decides its bytes, but for the code that makes it. */
  from: unknown;
  /** Makes it. */
  build(folder: string): Promise<void>;
}

/**
 * Makes `<rootDir>/<page>/` what it must be, and reads only when it already is. A page is built in a folder beside and
 * then moved into place: a build that is killed leaves nothing half, and of two at a time either one wins whole.
 * @returns the names of the pages that were built
 */
export async function ensureFolders(rootDir: string, folders: SiteFolder[]): Promise<string[]> {
  const generator = await generatorHash();
  const built: string[] = [];
  for (const page of folders) {
    const hash = sha256(JSON.stringify([page.from, generator]));
    if (await isWhole(join(rootDir, page.name), hash)) continue;
    await replaceFolder(rootDir, page, hash);
    built.push(page.name);
  }
  return built;
}

/** Take away the folders of all other pages; what begins with a dot is at work, or a builder's to take away. */
export async function keepFolders(rootDir: string, names: string[]): Promise<void> {
  const there = (await readdir(rootDir).catch(ignore("ENOENT"))) ?? [];
  for (const name of there)
    if (!name.startsWith(".") && !names.includes(name)) await rm(join(rootDir, name), { recursive: true, force: true });
}

/** The sizes of all files of a page that was built, by their paths in its folder. */
export const builtSizes = async (directory: string): Promise<Stamp["sizesBytes"]> =>
  (JSON.parse(await readFile(join(directory, stampFile), "utf8")) as Stamp).sizesBytes;

async function replaceFolder(rootDir: string, page: SiteFolder, hash: string): Promise<void> {
  const aside = join(rootDir, `.${page.name}.${randomUUID()}`);
  try {
    await mkdir(`${aside}.new`, { recursive: true });
    await page.build(`${aside}.new`);
    const stamp: Stamp = { hash, sizesBytes: await sizesOf(`${aside}.new`) };
    await writeFile(join(`${aside}.new`, stampFile), JSON.stringify(stamp));
    await moveIntoPlace(aside, join(rootDir, page.name), hash);
  } finally {
    await rm(`${aside}.new`, { recursive: true, force: true });
    await rm(`${aside}.old`, { recursive: true, force: true });
  }
  await removeLeftovers(rootDir, page.name);
}

/** What a builder that was killed left beside the page: old enough that no other builder is at it. */
async function removeLeftovers(rootDir: string, pageName: string): Promise<void> {
  const hourMs = 3_600_000;
  for (const entry of await readdir(rootDir)) {
    const path = join(rootDir, entry);
    if (!entry.startsWith(`.${pageName}.`)) continue;
    const modified = await stat(path).then(({ mtimeMs }) => mtimeMs, ignore("ENOENT"));
    if (modified !== undefined && Date.now() - modified > hourMs) await rm(path, { recursive: true, force: true });
  }
}

/** A folder cannot replace another in one step, so another builder may come in between: then look whose page it is. */
async function moveIntoPlace(aside: string, target: string, hash: string): Promise<void> {
  while (!(await isWhole(target, hash))) {
    await rename(target, `${aside}.old`).catch(ignore("ENOENT"));
    const moved = await rename(`${aside}.new`, target).then(() => true, ignore("ENOTEMPTY", "EEXIST"));
    if (moved) return;
    await rm(`${aside}.old`, { recursive: true, force: true });
  }
}

const ignore =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(error.code ?? "")) throw error;
  };

async function isWhole(directory: string, hash: string): Promise<boolean> {
  try {
    const stamp = JSON.parse(await readFile(join(directory, stampFile), "utf8")) as Stamp;
    return stamp.hash === hash && JSON.stringify(stamp.sizesBytes) === JSON.stringify(await sizesOf(directory));
  } catch {
    return false; // no stamp, or one that is not ours: build
  }
}

async function sizesOf(directory: string): Promise<Record<string, number>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = paths.map((path) => relative(directory, path)).filter((path) => path !== stampFile);
  return Object.fromEntries(
    await Promise.all(files.sort().map(async (file) => [file, (await stat(join(directory, file))).size])),
  );
}

/** Of everything beside a page's file that decides its bytes: the code in this folder and the packages it uses. */
async function generatorHash(): Promise<string> {
  const packages = createRequire(import.meta.url);
  const { dependencies } = packages("../package.json") as { dependencies: Record<string, string> };
  const names = ["css-tree", "gifenc", "jpeg-js", "jquery", "parse5", "pngjs", "pure-rand", "srcset"];
  const folders = [import.meta.dirname, join(import.meta.dirname, "imported")];
  const sources = await Promise.all(folders.map(sourcesIn));
  return sha256(JSON.stringify([names.map((name) => dependencies[name]), ...sources.flat()]));
}

async function sourcesIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => /(?<!\.test)\.ts$/.test(file)).sort();
  return Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
