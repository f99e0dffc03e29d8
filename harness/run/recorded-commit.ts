/** The lab at the commit that made a run, beside this checkout: what guests run follows from the commit. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { run } from "../../hosts/command.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
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

/** Runs `./lab` with these words in a checkout of a commit, which is made once and kept. */
export async function labAt(commit: string, words: readonly string[]): Promise<ExitCode> {
  const folder = resolve(`.lab/commits/${commit.slice(0, 12)}`);
  if (!existsSync(`${folder}/lab`))
    await run(["git", "worktree", "add", "--quiet", "--force", "--detach", folder, commit]);
  return labIn(folder, words);
}

/** Ctrl-C reaches it too. @returns its exit code @throws LabError if it was interrupted */
export const labIn = (folder: string, words: readonly string[]): Promise<ExitCode> =>
  withLifetime(async ({ signal }) => {
    const child = spawn("./lab", words, { cwd: folder, stdio: "inherit" });
    signal.addEventListener("abort", () => child.kill());
    const [code] = (await once(child, "exit")) as [ExitCode | null];
    if (code === null || code === ExitCode.interrupted) throw new LabError(ExitCode.interrupted, "interrupted");
    return code;
  });
