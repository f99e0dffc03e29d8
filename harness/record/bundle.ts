/** Reads archives of `./lab bundle`. They may be somebody else's, so they are unpacked within limits and apart from this checkout's own files. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { extract, list, type ReadEntry } from "tar";
import { usageError } from "../../schema/errors.ts";
import { inOneLine } from "../../schema/foreign-words.ts";
import { fileHash } from "./run-files.ts";
import { removeUnused } from "./unused.ts";
import { userPath } from "./user-path.ts";

/** The folders in a bundle's single top folder. */
export const inBundle = { run: "run", lab: "lab" } as const;
export const bundleEnding = ".tar.gz";

const parent = ".lab/bundles";
/** The limits for an archive's content. A kernel, a root image and modules are 1.2 GB in 20,000 files. */
const mostBytes = 4e9;
const mostEntries = 200_000;
/** The archive is read in small pieces, because gzip can expand each piece a thousand times. */
const reading = { sync: true, strict: true, maxReadSize: 1 << 16 } as const;

const isBundle = (path: string): boolean =>
  path.endsWith(bundleEnding) && lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Unpacks a bundle's run once, without its lab. @returns the run's folder; `word` itself if it names no bundle @throws LabError (usage) */
export function runNamedBy(word: string): string {
  const file = userPath(word);
  if (!isBundle(file)) return word;
  const sha256 = fileHash(file);
  const folder = `${parent}/${sha256.slice(0, shownDigits)}`;
  if (!existsSync(folder)) unpackRun(file, sha256, folder);
  const bundle = bundleIn(folder);
  if (bundle.sha256 !== sha256) throw usageError(`${file}: ${folder} has another bundle: remove that folder`);
  note({ ...bundle, file: resolve(file) }, folder); // the archive may have been moved
  utimesSync(folder, new Date(), new Date());
  removeUnused(parent);
  return `${folder}/${inBundle.run}`;
}

const shownDigits = 16;

/** An archive whose run was unpacked. */
export interface Bundle {
  file: string;
  sha256: string;
  /** Whether the bundle's lab can repeat the run without a network. */
  hasMachine: boolean;
}

export interface UnpackedBundle extends Bundle {
  folder: string;
}

const noteFile = (folder: string) => `${folder}/bundle.json`;
const note = (bundle: Bundle, folder: string) => writeFileSync(noteFile(folder), JSON.stringify(bundle));
const bundleIn = (folder: string) => JSON.parse(readFileSync(noteFile(folder), "utf8")) as Bundle;

/** Returns the bundle from which a run was unpacked; null for every other run. */
export function bundleOf(runFolder: string): UnpackedBundle | null {
  const folder = dirname(resolve(runFolder));
  return dirname(folder) === resolve(parent) ? { ...bundleIn(folder), folder } : null;
}

/** Unpacks a bundle's run completely, or not at all. */
function unpackRun(file: string, sha256: string, folder: string): void {
  const { hasMachine } = checked(file);
  mkdirSync(parent, { recursive: true });
  const part = mkdtempSync(`${parent}/.new-`);
  try {
    unpackInto(part, file, (path) => !path.startsWith(`${inBundle.lab}/`));
    note({ file, sha256, hasMachine }, part);
    renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** Unpacks a bundle's lab, with its kernel and programs. @returns the lab's folder @throws LabError (usage) if the archive has changed */
export function labOf({ folder, file, sha256 }: UnpackedBundle): string {
  const lab = `${folder}/${inBundle.lab}`;
  if (existsSync(lab)) return lab;
  if (!isBundle(file) || fileHash(file) !== sha256)
    throw usageError(`${file} has changed, or is gone, since the run was unpacked from it`);
  const part = mkdtempSync(`${folder}/.new-`);
  try {
    unpackInto(part, file, (path) => path.startsWith(`${inBundle.lab}/`));
    renameSync(`${part}/${inBundle.lab}`, lab);
    return lab;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

const pathBelow = (path: string) => path.replace(/^[^/]*\//, "");

function unpackInto(folder: string, file: string, wanted: (path: string) => boolean): void {
  extract({
    ...{ ...reading, file, cwd: folder, strip: 1, preserveOwner: false },
    filter: (path) => wanted(pathBelow(path)),
  });
}

/** Checks the whole archive before anything is written. @throws LabError (usage) */
function checked(file: string): { hasMachine: boolean } {
  const refuse = (why: string) => usageError(`${file} is not a bundle of ./lab bundle: ${why}`);
  let top: string | undefined;
  let [left, entries, hasRun, hasMachine] = [mostBytes, 0, false, false];
  const check = ({ path, type, size }: ReadEntry) => {
    const named = inOneLine(path);
    const [first, ...others] = path.replace(/\/$/, "").split("/");
    if (type !== "File" && type !== "Directory") throw refuse(`${named} is neither a file nor a folder`);
    if (others.includes("..") || others.includes("") || !first || first === "..")
      throw refuse(`${named} leaves its folder`);
    top ??= first;
    if (top !== first) throw refuse(`${named} is outside of the bundle's folder ${inOneLine(top)}`);
    if (++entries > mostEntries) throw refuse(`it has more than ${mostEntries} files`);
    left -= size;
    if (left < 0) throw refuse(`it unpacks to more than ${mostBytes / 1e9} GB`);
    hasRun ||= path === `${first}/${inBundle.run}/run.json`;
    hasMachine ||= path.startsWith(`${first}/${inBundle.lab}/.lab/root/`);
  };
  try {
    list({ ...reading, file, onReadEntry: check });
  } catch (error) {
    if (error instanceof Error && error.name === "LabError") throw error;
    throw refuse(`it is damaged or cut off (${(error as Error).message})`);
  }
  if (!hasRun) throw refuse(`it has no ${inBundle.run}/run.json`);
  return { hasMachine };
}
