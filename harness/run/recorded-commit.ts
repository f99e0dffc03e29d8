/** Makes a checkout of the commit that made a run, and runs `./lab` there, because guests that repeat the run must run that commit's files. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { AddedFiles } from "../../hosts/added.ts";
import { run } from "../../hosts/command.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
import { print } from "../output/output.ts";
import { trust } from "../record/added/trusted.ts";
import { withLifetime } from "./lifetime.ts";

const asCommit = async (name: string) =>
  (await run(["git", "rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`])).trim();

/** @param recorded a manifest's commit, with "+" if files differed @returns the commit, or why it is missing; null if it is checked out here */
export async function otherCommit(recorded: string): Promise<{ commit: string } | { lacks: string } | null> {
  const name = recorded.replace(/\+$/, "");
  try {
    const [commit, here] = [await asCommit(name), await asCommit("HEAD")];
    return commit === here ? null : { commit };
  } catch {
    return { lacks: `this folder has no commit ${name}, which made the run: git fetch --unshallow may get it` };
  }
}

/** Makes a checkout of a commit once, and keeps it. @returns its folder */
export async function checkoutOf(commit: string): Promise<string> {
  const folder = resolve(`.lab/commits/${commit.slice(0, 12)}`);
  if (!existsSync(`${folder}/lab`))
    await run(["git", "worktree", "add", "--quiet", "--force", "--detach", folder, commit]);
  return folder;
}

/** How the started `./lab` ended, and whether it compared a repeated chunk with the recorded one. */
export interface Ended {
  code: ExitCode;
  compared: boolean;
}

/** The start of the line that every version of the lab prints for each chunk that it repeats. */
const comparison = /^Chunk \d+, made again: /;

/** Runs `./lab` in the folder, and ends it on Ctrl-C. @param trusted files of a run whose code it may execute @throws LabError (interrupted) */
export const labIn = (folder: string, words: readonly string[], trusted: AddedFiles = {}): Promise<Ended> =>
  withLifetime(async ({ signal }) => {
    trust(trusted, folder);
    const child = spawn("./lab", words, { cwd: folder, stdio: ["inherit", "pipe", "inherit"] });
    signal.addEventListener("abort", () => child.kill());
    const ended = once(child, "close");
    let compared = false;
    for await (const line of createInterface({ input: child.stdout })) {
      compared ||= comparison.test(line);
      print(line);
    }
    const [code] = (await ended) as [ExitCode | null];
    if (code === null || code === ExitCode.interrupted) throw new LabError(ExitCode.interrupted, "interrupted");
    return { code, compared };
  });
