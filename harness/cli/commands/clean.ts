import { existsSync, rmSync } from "node:fs";
import type { Command } from "commander";
import { ExitCode, LabError } from "../../../schema/errors.ts";
import { counted } from "../../../schema/words.ts";
import { mountPoints } from "../../../substrate/namespaces.ts";
import { netns } from "../../../substrate/netns.ts";
import { ownersIn, workersFolder } from "../../../substrate/own-folder.ts";
import { say } from "../../output/output.ts";
import { stopRun } from "../../run/lock.ts";

const labFolder = ".lab";

function refuseWorkers(): void {
  const workers = ownersIn(workersFolder);
  if (workers.length === 0) return;
  const named = `${counted(workers.length, "worker makes", "workers make")} loads in this folder (process ${workers.join(", ")})`;
  throw new LabError(
    ExitCode.failed,
    `${named}, and clean would remove the files of these loads, too; stop every worker first, with Ctrl-C or kill -INT`,
  );
}

/** Namespaces, devices and processes end with the run, so only a folder has to be removed. */
async function clean(): Promise<void> {
  refuseWorkers();
  if (await stopRun(netns.lockPath)) say("stopped the active run; its finished loads are kept");
  const mounted = mountPoints().find((path) => path.startsWith(`${process.cwd()}/${labFolder}/`));
  if (mounted)
    throw new LabError(
      ExitCode.failed,
      `${mounted} is a mount point, and clean would remove the mounted files, too; unmount it first`,
    );
  if (existsSync(labFolder)) {
    rmSync(labFolder, { recursive: true, force: true });
    say(`removed ${labFolder}: certificates, pages, programs`);
  }
  say("clean; results/ is kept");
}

export const addTo = (lab: Command) =>
  lab
    .command("clean")
    .description("stop this checkout's active run, and remove the folder .lab: certificates, pages, programs")
    .action(clean);
