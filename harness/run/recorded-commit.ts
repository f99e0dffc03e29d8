/** The lab at the commit that made a run, beside this checkout: what guests run follows from the commit. */
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

/** @param recorded as a manifest names it, with "+" when files differed @returns why it cannot be had here, or which one it is; null: this checkout's */
export async function otherCommit(recorded: string): Promise<{ commit: string } | { lacks: string } | null> {
  const name = recorded.replace(/\+$/, "");
  try {
    const [commit, here] = [await asCommit(name), await asCommit("HEAD")];
    return commit === here ? null : { commit };
  } catch {
    return { lacks: `this folder has no commit ${name}, which made the run: git fetch --unshallow may bring it` };
  }
}

/** A checkout of a commit, which is made once and kept. */
export async function checkoutOf(commit: string): Promise<string> {
  const folder = resolve(`.lab/commits/${commit.slice(0, 12)}`);
  if (!existsSync(`${folder}/lab`))
    await run(["git", "worktree", "add", "--quiet", "--force", "--detach", folder, commit]);
  return folder;
}

/** How another lab ended, and whether it printed the comparison of a chunk that it made again. */
export interface Ended {
  code: ExitCode;
  compared: boolean;
}

/** Each lab that repeats chunks prints such a line for each. */
const comparison = /^Chunk \d+, made again: /;

/** Runs `./lab` there. Ctrl-C reaches it too, and its results are printed as they come. @param trusted what it runs of a run's own code @throws LabError if it was interrupted */
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
