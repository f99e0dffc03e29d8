/** Other tools from npm that the lab is compared with. They are no modules of the lab, and are installed when a benchmark first needs them. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { run } from "../hosts/command.ts";
import { ExitCode, LabError } from "../schema/errors.ts";

/** @returns the tool's folder @throws LabError if npm cannot install it */
export async function installTool(name: string, version: string, signal: AbortSignal): Promise<string> {
  const folder = resolve(`.lab/${name}-${version}`);
  const own = `${folder}/node_modules/${name}`;
  if (existsSync(own)) return own;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const options = ["--no-save", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  await run(["npm", "install", "--prefix", folder, ...options, `${name}@${version}`], "", signal).catch(
    ({ message }: Error) => {
      rmSync(folder, { recursive: true, force: true });
      throw new LabError(ExitCode.machineCannot, `cannot install ${name}: ${message}; does npm reach its registry?`);
    },
  );
  return own;
}
