import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { sha256 } from "../schema/sha256.ts";
import { stampFile } from "./paths.ts";

/** The last file that is written into a built page's folder (stampFile): a hash of what the page was built from, and the sizes of its files. */
interface Stamp {
  hash: string;
  sizesBytes: Record<string, number>;
}

/** A page's folder below the servers' root. */
export interface SiteFolder {
  name: string;
  /** Everything that determines the folder's bytes, except the code that builds it. */
  from: unknown;
  build(folder: string): Promise<void>;
}

/**
 * Builds the folders that are missing or outdated. A page is built in a temporary folder and then moved, so a killed build leaves no partial page.
 * If two builds run at the same time, the page of one of them stays. @returns the names of the pages that were built
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

/** Deletes the folders of all pages that are not in `names`. Temporary folders of builds, whose names start with a dot, stay. */
export async function keepFolders(rootDir: string, names: string[]): Promise<void> {
  const there = (await readdir(rootDir).catch(ignore("ENOENT"))) ?? [];
  for (const name of there)
    if (!name.startsWith(".") && !names.includes(name)) await rm(join(rootDir, name), { recursive: true, force: true });
}

/** Reads the sizes of all files in a built page's folder, by path. */
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

/** Deletes temporary folders of killed builds after an hour, when no other process can still use them. */
async function removeLeftovers(rootDir: string, pageName: string): Promise<void> {
  const hourMs = 3_600_000;
  for (const entry of await readdir(rootDir)) {
    const path = join(rootDir, entry);
    if (!entry.startsWith(`.${pageName}.`)) continue;
    const modified = await stat(path).then(({ mtimeMs }) => mtimeMs, ignore("ENOENT"));
    if (modified !== undefined && Date.now() - modified > hourMs) await rm(path, { recursive: true, force: true });
  }
}

/** Moves a built page in two steps: a folder cannot replace another atomically. If another build moves its page in between, checks that page. */
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
    return false; // no valid stamp
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

/** Hashes everything that determines a page's bytes: the code in this folder, the rules for compression, and the packages' versions. */
async function generatorHash(): Promise<string> {
  const packages = createRequire(import.meta.url);
  const { dependencies } = packages("../package.json") as { dependencies: Record<string, string> };
  const names = [
    "brotli-wasm",
    "css-tree",
    "gifenc",
    "jpeg-js",
    "jquery",
    "mrmime",
    "pako",
    "parse5",
    "pngjs",
    "pure-rand",
    "srcset",
  ];
  const folders = ["", "imported", "recorded"].map((folder) => join(import.meta.dirname, folder));
  const compression = await readFile(join(import.meta.dirname, "../schema/compression.ts"), "utf8");
  const sources = await Promise.all(folders.map(sourcesIn));
  return sha256(JSON.stringify([names.map((name) => dependencies[name]), compression, ...sources.flat()]));
}

async function sourcesIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => /(?<!\.test|\.fixture)\.ts$/.test(file)).sort();
  return Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
}
