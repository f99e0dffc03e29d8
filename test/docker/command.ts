// Child processes for the engine: some return their output, one uses the terminal.
import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** The trimmed output of `docker ...`; an error contains its stderr. */
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

/** Runs in the foreground. @returns the exit code, or 1 after a signal */
export function run(env: NodeJS.ProcessEnv, command: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
