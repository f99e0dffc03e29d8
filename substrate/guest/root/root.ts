/** The root file system of the virtual clock's guests: an image with all programs that guests run (build.sh). */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runLong } from "../../../hosts/command.ts";
import { ExitCode, LabError } from "../../../schema/errors.ts";

const script = fileURLToPath(new URL("build.sh", import.meta.url));

export interface Root {
  /** The path of an EROFS file system. */
  image: string;
  sha256: string;
  /** One line per package: its name, its version, and the SHA-256 of its file. */
  packages: string;
}

/** Finds the root file system; null if it has not been built yet. */
export function findRoot(): Root | null {
  const folder = execFileSync(script, ["--path"], { encoding: "utf8" }).trim();
  return existsSync(`${folder}/image`) ? rootIn(folder) : null;
}

export function rootIn(folder: string): Root {
  return {
    image: `${folder}/image`,
    sha256: readFileSync(`${folder}/sha256`, "utf8").trim(),
    packages: readFileSync(`${folder}/packages`, "utf8"),
  };
}

/** Builds the root file system if it does not exist, with progress on stderr. @throws LabError if this machine cannot build it */
export async function makeRoot(signal?: AbortSignal): Promise<Root> {
  const root = (await runLong(script, signal)) ? findRoot() : null;
  if (!root)
    throw new LabError(
      ExitCode.machineCannot,
      "the root file system for guests of the virtual clock does not exist, and could not be built",
    );
  return root;
}
