import type { Command } from "commander";
import { makeRoot } from "../../../substrate/guest/root/root.ts";
import { saveRoot } from "../../../substrate/guest/root/root-file.ts";
import { print } from "../../output/output.ts";
import { userPath } from "../../record/user-path.ts";

async function save(file: string): Promise<void> {
  const root = await makeRoot();
  saveRoot(root, file);
  print(`${file}: root image with SHA-256 ${root.sha256}; to use it: ./lab run --clock virtual --root ${file}`);
}

export const addTo = (lab: Command) =>
  lab
    .command("root")
    .description("save the root image of the virtual clock's guests")
    .helpCommand(false)
    .command("save")
    .description(
      "save the image to a file, for ./lab run --clock virtual --root FILE and ./lab verify --again N --root FILE",
    )
    .argument("<file>", "", userPath)
    .action(save);
