/** Installs from npm the tools with which benchmarks compare the lab. The lab itself does not need them. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { run } from "../hosts/command.ts";
import { ExitCode, LabError } from "../schema/errors.ts";

export interface NpmTool {
  name: string;
  version: string;
}

const prefixOf = ({ name, version }: NpmTool) => resolve(`.lab/${name}-${version}`);
export const folderOfTool = (tool: NpmTool): string => `${prefixOf(tool)}/node_modules/${tool.name}`;

/** @throws LabError if npm cannot install the tool */
export async function installTool(tool: NpmTool, signal: AbortSignal): Promise<void> {
  const prefix = prefixOf(tool);
  if (existsSync(`${prefix}/node_modules/.package-lock.json`)) return; // npm writes this file last
  rmSync(prefix, { recursive: true, force: true });
  mkdirSync(prefix, { recursive: true });
  const { name, version } = tool;
  const options = ["--no-save", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  await run(["npm", "install", "--prefix", prefix, ...options, `${name}@${version}`], "", signal).catch(
    ({ message }: Error) => {
      throw new LabError(ExitCode.machineCannot, `cannot install ${name}: ${message}; can npm reach its registry?`);
    },
  );
}
