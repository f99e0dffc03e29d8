import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const execute = promisify(execFile);

/**
 * Runs a program to its end, without a shell.
 * @param input for its stdin @param signal kills it
 * @returns its stdout
 * @throws Error with the command and its stderr
 */
export async function run(
  [program = "", ...args]: readonly string[],
  input = "",
  signal?: AbortSignal,
): Promise<string> {
  try {
    const running = execute(program, args, { maxBuffer: 1 << 26, ...(signal && { signal }) });
    running.child.stdin!.on("error", () => {}).end(input); // a program that does not read its input may end first
    return (await running).stdout;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`${[program, ...args].join(" ")}: ${stderr?.trim() || message}`, { cause: error });
  }
}

/**
 * Runs a program that takes minutes, with its progress on stderr. It has its own process group, so that Ctrl-C does not end it. An abort
 * ends it together with all processes that it has started.
 * @returns whether it succeeded @throws the signal's reason after an abort
 */
export async function runLong(program: string, signal?: AbortSignal): Promise<boolean> {
  signal?.throwIfAborted();
  const child = spawn(program, { detached: true, stdio: ["ignore", "ignore", "inherit"] });
  const exit = once(child, "exit") as Promise<[number | null]>;
  const stop = () => void (child.pid && child.exitCode === null && process.kill(-child.pid, "SIGTERM"));
  signal?.addEventListener("abort", stop);
  try {
    const [code] = await exit;
    signal?.throwIfAborted();
    return code === 0;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** A word without special meaning to a shell, to a batch of ip or tc, and on a kernel's command line. */
export const plainWord = /^[\w.,:%/=+@-]+$/;

/** A command as one line. @throws Error for a word that could have a special meaning */
export function plainLine(command: readonly string[]): string {
  for (const text of command) if (!plainWord.test(text)) throw new Error(`not a plain word: ${JSON.stringify(text)}`);
  return command.join(" ");
}

/** Runs several commands of `ip` or `tc` in one process, because starting a process takes longer than running a command. */
export const runBatch = (program: readonly string[], commands: readonly string[][]): Promise<string> =>
  run([...program, "-batch", "-"], commands.map((command) => `${plainLine(command)}\n`).join(""));

/** The path of a program: from PATH, unless the name is a path. @throws Error that names it */
export function findProgram(name: string): string {
  if (name.startsWith("/") && existsSync(name)) return name;
  const found = (process.env.PATH ?? "")
    .split(":")
    .map((folder) => `${folder}/${name}`)
    .find((path) => existsSync(path));
  if (!found) throw new Error(`there is no program ${name}${name.startsWith("/") ? "" : " on PATH"}`);
  return found;
}
