import type { Command } from "commander";
import { chooseSubstrate } from "../../../substrate/choose.ts";
import { print } from "../../output/output.ts";
import { packRun } from "../../record/pack.ts";
import { openRun } from "../../record/run-folder.ts";
import { lockLab } from "../../run/lock.ts";
import { aRun } from "./options.ts";

/** Takes the lab's lock, because an active run appends to the plain files, which packing removes. */
async function pack(name: string | undefined): Promise<void> {
  const { folder } = openRun(name);
  const unlock = await lockLab(chooseSubstrate({ clock: "real" }).lockPath);
  try {
    const { before, after } = packRun(folder);
    const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
    print(
      before
        ? `${folder}: packed ${megabytes(before)} into ${megabytes(after)}; every command reads packed runs`
        : `${folder} is packed already`,
    );
  } finally {
    unlock();
  }
}

export const addTo = (lab: Command) =>
  lab
    .command("pack")
    .description(
      "compress a run's lines with Brotli; every command reads packed runs (for jq: brotli -dc), and run --resume unpacks them",
    )
    .argument(...aRun)
    .action(pack);
