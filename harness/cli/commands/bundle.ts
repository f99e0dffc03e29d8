import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Command } from "commander";
import { ExitCode, LabError, usageError } from "../../../schema/errors.ts";
import { assemble, pack } from "../../bundle/contents.ts";
import { machineOf } from "../../bundle/machine.ts";
import { print } from "../../output/output.ts";
import { bundleEnding } from "../../record/bundle.ts";
import { readRun } from "../../record/records.ts";
import { userPath } from "../../record/user-path.ts";
import { aRun, repeatable, root } from "./options.ts";

interface BundleOptions {
  out?: string;
  author: string[];
  withMachine?: true;
  root?: string;
}

async function bundle(name: string | undefined, { out, author, withMachine, root }: BundleOptions): Promise<void> {
  const run = readRun(name);
  const title = basename(resolve(run.folder));
  const file = resolve(userPath(out ?? `${title}${bundleEnding}`));
  if (!file.endsWith(bundleEnding)) throw usageError(`--out ${out}: a bundle's name ends with ${bundleEnding}`);
  if (existsSync(file)) throw usageError(`${file} exists already: remove it, or name another file with --out`);
  if (!existsSync(dirname(file))) throw usageError(`--out ${out}: there is no folder ${dirname(file)}`);
  if (root !== undefined && !withMachine)
    throw usageError("--root is for --with-machine, which puts this root image into the bundle");
  const machine = withMachine ? await machineOf(run, root) : null;
  mkdirSync(".lab/bundles", { recursive: true });
  const work = mkdtempSync(".lab/bundles/.new-");
  const part = `${file}.part`;
  try {
    await assemble(run, `${work}/${title}`, { authors: author, machine });
    pack(work, title, part);
    renameSync(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC")
      throw new LabError(ExitCode.machineCannot, `cannot write ${file}: the disk is full`);
    throw error;
  } finally {
    rmSync(part, { force: true });
    rmSync(work, { recursive: true, force: true });
  }
  print(
    `${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB; every command that reads a run accepts this file, as in ./lab verify ${basename(file)}`,
  );
}

export const addTo = (lab: Command) =>
  lab
    .command("bundle")
    .description(
      "make one archive for a paper's appendix: a run, its tables, the lab that made the run, and a README on how to repeat it",
    )
    .argument(...aRun)
    .option("--out <file>", `the archive, NAME${bundleEnding} (default: named after the run, in the current folder)`)
    .addOption(repeatable("--author <name>", "an author for CITATION.cff; repeatable", "anonymous"))
    .option(
      "--with-machine",
      "virtual clock: include kernel, root image, Node.js and modules, so that the run can be repeated without a network",
    )
    .addOption(root())
    .action(bundle);
