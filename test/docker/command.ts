// Runs child processes for the engine.
import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs `docker ...`, and returns its trimmed output. An error contains the command's stderr. */
export async function docker(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const { stdout } = await execute("docker", args, { env, maxBuffer: 64 << 20 });
  return stdout.trim();
}

export async function works(env: NodeJS.ProcessEnv, command: string, ...args: string[]): Promise<boolean> {
  return execute(command, args, { env }).then(
    () => true,
    () => false,
  );
}

/** Runs a command in the foreground, with this process's terminal. @returns the exit code, or 1 after a signal */
export function run(env: NodeJS.ProcessEnv, command: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
