/** What `./lab bundle` puts into an archive, so that a reader can check a run and its tables; with `machine`, also without a network. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { create, extract } from "tar";
import { run as execute } from "../../hosts/command.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
import { inBundle } from "../record/bundle.ts";
import type { SavedRun } from "../record/records.ts";
import { fileHash } from "../record/run-files.ts";
import { otherCommit } from "../run/recorded-commit.ts";
import { renderMarkdown } from "../tables/markdown.ts";
import { tablesOf } from "../tables/run-tables.ts";
import { citationOf } from "./citation.ts";
import { evaluatorReadme } from "./evaluator-readme.ts";
import { copyFile, copyMachine, filesBelow, type Machine } from "./machine.ts";

export interface BundleOptions {
  authors: readonly string[];
  /** What a reader needs to repeat the run; null for a bundle without these files. */
  machine: Machine | null;
}

/** Writes all files of a bundle into a folder. @throws LabError if the commit that made the run is not available */
export async function assemble(run: SavedRun, folder: string, { authors, machine }: BundleOptions): Promise<void> {
  const lab = `${folder}/${inBundle.lab}`;
  await copyLab(run.manifest.commit, lab);
  if (machine) await copyMachine(machine, lab);
  for (const path of filesOfRun(run.folder)) copyFile(`${run.folder}/${path}`, `${folder}/${inBundle.run}/${path}`);
  const write = (name: string, text: string) => writeFileSync(`${folder}/${name}`, `${text.trimEnd()}\n`);
  write("tables.md", renderMarkdown(tablesOf(run)));
  write("CITATION.cff", citationOf(run.manifest, authors, lab));
  write("README.md", evaluatorReadme(run, lab, machine !== null));
  write("SHA256SUMS", sumsOf(folder));
}

/** Copies the source of the commit that made the run, without the published runs in results/. */
async function copyLab(recorded: string, lab: string): Promise<void> {
  const other = await otherCommit(recorded);
  if (other && "lacks" in other) throw new LabError(ExitCode.otherVersions, other.lacks);
  mkdirSync(lab, { recursive: true });
  const file = `${lab}.tar`;
  await execute(["git", "archive", `--output=${file}`, other?.commit ?? "HEAD", "--", ".", ":(exclude)results"]);
  extract({ file, cwd: lab, sync: true });
  rmSync(file);
}

/** Matches files that a bundle leaves out, because they are computed from the run: the report, and judged.json of earlier versions. */
const computed = /^(judged\.json|report\/)/;

const filesOfRun = (folder: string): string[] => filesBelow(folder).filter((path) => !computed.test(path));

const sumsOf = (folder: string): string =>
  filesBelow(folder)
    .map((path) => `${fileHash(`${folder}/${path}`)}  ${path}\n`)
    .join("");

/** Writes an archive. The same files give the same archive, because it names no owners, and all its files have the same modification time. */
export function pack(parent: string, name: string, file: string): void {
  const paths = filesBelow(`${parent}/${name}`).map((path) => `${name}/${path}`);
  create({ file, cwd: parent, gzip: true, portable: true, mtime: new Date(0), sync: true, strict: true }, paths);
}
