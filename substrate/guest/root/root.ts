/** The root of the virtual clock's guests: an image that has everything which runs inside (build.sh). */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runLong } from "../../../hosts/command.ts";
import { ExitCode, LabError } from "../../../schema/errors.ts";

const script = fileURLToPath(new URL("build.sh", import.meta.url));

export interface Root {
  /** An EROFS file system. */
  image: string;
  sha256: string;
  /** A line each: name, version, SHA-256 of the file that it came in. */
  packages: string;
}

/** Null while it has not been made. */
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

/** It is made if it is not there, with progress on stderr. @throws LabError when this machine cannot */
export async function makeRoot(signal?: AbortSignal): Promise<Root> {
  const code = await runLong(script, signal);
  signal?.throwIfAborted();
  const root = findRoot();
  if (code !== 0 || !root)
    throw new LabError(
      ExitCode.machineCannot,
      "there is no root for guests of the virtual clock, and it could not be made",
    );
  return root;
}
