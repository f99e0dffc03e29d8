/** Saves guests' root file system as a file, because it can be built again only while Debian's archive has the same versions of its packages. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { ExitCode, LabError, usageError } from "../../../schema/errors.ts";
import { type Root, rootIn } from "./root.ts";

/** The files in the folder of a root file system, and in an archive of this folder. */
const parts = ["image", "packages", "sha256"];

const tar = (...words: string[]): string =>
  execFileSync("tar", words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** @throws LabError if the file exists already, or cannot be written */
export function saveRoot({ image }: Root, file: string): void {
  if (existsSync(file)) throw usageError(`${file} already exists: remove it, or name another file`);
  if (!existsSync(dirname(file))) throw usageError(`${file}: there is no folder ${dirname(file)}`);
  const one = ["--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rw,go=r", "--format=gnu"];
  try {
    tar("--create", `--file=${file}.part`, ...one, `--directory=${dirname(image)}`, ...parts);
    renameSync(`${file}.part`, file);
  } catch (error) {
    throw new LabError(ExitCode.machineCannot, `cannot write ${file}: ${firstLine(error)}`);
  } finally {
    rmSync(`${file}.part`, { force: true });
  }
}

/** Opens a saved root file system: unpacks the file once, and checks the image. @throws LabError that says what is wrong with the file */
export function openRoot(file: string, roots = ".lab/root"): Root {
  if (!existsSync(file)) throw usageError(`--root ${file}: there is no such file; ./lab root save FILE makes one`);
  const names = attempt(file, () => tar("--list", `--file=${file}`).trim().split("\n"));
  if (names.join() !== parts.join())
    throw usageError(
      `--root ${file}: it contains ${names.slice(0, 3).join(", ")}, and is not a saved root; ./lab root save FILE makes one`,
    );
  const sha256 = tar("--extract", "--to-stdout", `--file=${file}`, "sha256").trim();
  const folder = `${roots}/file-${sha256}`;
  if (!existsSync(folder)) unpack(file, folder, sha256);
  return rootIn(folder);
}

function unpack(file: string, folder: string, sha256: string): void {
  mkdirSync(dirname(folder), { recursive: true });
  const part = mkdtempSync(`${folder}.`);
  try {
    attempt(file, () => tar("--extract", `--file=${file}`, `--directory=${part}`, "--no-same-owner"));
    const found = execFileSync("sha256sum", [`${part}/image`], { encoding: "utf8" }).split(" ")[0];
    if (found !== sha256) throw damaged(file, `its image's SHA-256 is ${found}, and should be ${sha256}`);
    renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

const firstLine = (error: unknown): string =>
  String((error as { stderr?: string }).stderr ?? error)
    .trim()
    .split("\n")[0]!;

const damaged = (file: string, why: string) =>
  new LabError(ExitCode.usage, `--root ${file} is damaged: ${why}; fetch it again`);

function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw damaged(file, firstLine(error));
  }
}
