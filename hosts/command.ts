import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const execute = promisify(execFile);

/**
 * Run a program to its end, without a shell.
 * @returns its stdout
 * @throws Error with the command and what it said on stderr
 */
export async function run([program = "", ...args]: readonly string[]): Promise<string> {
  try {
    const { stdout } = await execute(program, args, { maxBuffer: 1 << 26 });
    return stdout;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`${[program, ...args].join(" ")}: ${stderr?.trim() || message}`, { cause: error });
  }
}

/** Where a program lies on PATH. @throws Error that names it */
export function findProgram(name: string): string {
  const found = (process.env.PATH ?? "")
    .split(":")
    .map((folder) => `${folder}/${name}`)
    .find((path) => existsSync(path));
  if (!found) throw new Error(`there is no program ${name} on PATH`);
  return found;
}
