/** What a run on the virtual clock needs to be repeated without a network: kernel, root image, server programs, Node.js and modules. */
import { chmodSync, cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { run as execute } from "../../hosts/command.ts";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import { madePrograms, makePrograms } from "../../servers/made.ts";
import { buildKernel } from "../../substrate/guest/kernel/kernel.ts";
import { makeRoot, type Root } from "../../substrate/guest/root/root.ts";
import { openRoot } from "../../substrate/guest/root/root-file.ts";
import type { SavedRun } from "../record/records.ts";
import { fileHash } from "../record/run-files.ts";

/** The folder into which the script ./lab installs the Node.js that bundles contain (install_own_node). */
const ownNode = ".lab/bundled-node";

export interface Machine {
  kernel: string;
  root: Root;
  servers: string[];
}

/** @param rootFile a file from `./lab root save` @throws LabError (otherVersions) if the run was made with another kernel or root image */
export async function machineOf({ folder, manifest, lanes }: SavedRun, rootFile?: string): Promise<Machine> {
  if (manifest.clock !== "virtual")
    throw usageError(
      `${folder} was made on the real clock: leave out --with-machine, because only a run on the virtual clock needs the kernel and root image`,
    );
  if (manifest.commit.endsWith("+"))
    throw usageError(
      `${folder} was made with files that differ from commit ${manifest.commit.slice(0, -1)}, so it cannot be repeated from a commit: commit the files, then make the run again`,
    );
  const servers = Object.keys(manifest.registries.servers);
  await makePrograms(servers);
  const kernel = await buildKernel();
  const root = rootFile === undefined ? await makeRoot() : openRoot(rootFile);
  const here = { kernelImage: fileHash(kernel), guestRoot: root.sha256 };
  for (const { versions } of lanes)
    for (const [name, hash] of Object.entries(here)) {
      const recorded = versions[name] ?? "unknown";
      if (!hash.startsWith(recorded))
        throw new LabError(
          ExitCode.otherVersions,
          `${folder} cannot be repeated with this checkout: ${name} was ${recorded} in the run and is ${hash.slice(0, recorded.length)} here; --root FILE uses a root image from ./lab root save`,
        );
    }
  return { kernel, root, servers };
}

/** @param lab the folder of the lab's source in the bundle; its scripts print the paths that the kernel and the root image must have */
export async function copyMachine({ kernel, root, servers }: Machine, lab: string): Promise<void> {
  if (readFileSync("package-lock.json", "utf8") !== readFileSync(`${lab}/package-lock.json`, "utf8"))
    throw usageError(
      "this checkout has other modules than the commit that made the run: use a checkout of that commit",
    );
  const pathOf = async (part: string) => (await execute([`${lab}/substrate/guest/${part}/build.sh`, "--path"])).trim();
  copyFolder(dirname(kernel), dirname(await pathOf("kernel")));
  copyFolder(dirname(root.image), await pathOf("root"));
  for (const name of (existsSync(madePrograms) ? readdirSync(madePrograms) : []).filter((file) =>
    servers.includes(file.replace(/\.made-from$/, "")),
  ))
    copyFile(`${madePrograms}/${name}`, `${lab}/${madePrograms}/${name}`);
  for (const path of modules()) copyFolder(path, `${lab}/${path}`);
  copyFile("package-lock.json", `${lab}/node_modules/.lab-stamp`);
  copyNode(`${lab}/.lab/node/node_modules/.bin/node`);
}

interface Lock {
  packages: Record<string, { dev?: true }>;
}

/** Returns the folders of the modules that commands import. Modules that only tests or other processors need are left out. */
function modules(): string[] {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock;
  return Object.entries(packages).flatMap(([path, { dev }]) => (path === "" || dev || !existsSync(path) ? [] : [path]));
}

function copyNode(to: string): void {
  const from = `${ownNode}/node_modules`;
  const [found] = existsSync(from) ? readdirSync(from).filter((name) => name.startsWith("node-linux-")) : [];
  if (!found) throw new LabError(ExitCode.machineCannot, `${from} has no Node.js: run ./lab bundle, which fetches it`);
  copyFile(`${from}/${found}/bin/node`, to);
  chmodSync(to, 0o755);
}

function copyFolder(from: string, to: string): void {
  for (const path of filesBelow(from)) copyFile(`${from}/${path}`, `${to}/${path}`);
}

/** Returns the paths of files, relative to the folder. Symbolic links, as in node_modules/.bin, are skipped: nothing in a bundle uses them. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length + 1))
    .sort();

/** Makes a hard link if possible, because an image takes almost a gigabyte. */
export function copyFile(from: string, to: string): void {
  if (existsSync(to)) return; // a module inside another module's folder was already copied with that folder
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch {
    cpSync(from, to);
  }
}
