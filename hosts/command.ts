import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs a program without a shell, and returns its stdout. @param input its stdin @param signal kills it @throws Error with the command and stderr */
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
 * Runs a program that takes minutes and prints its progress on stderr. It has its own process group: Ctrl-C does not end it, an abort ends all of it.
 * @returns whether the program succeeded @throws the signal's reason after an abort
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

/** Matches a word that has no special meaning to a shell, in a batch of ip or tc, or on a kernel's command line. */
export const plainWord = /^[\w.,:%/=+@-]+$/;

/** Joins a command to one line. @throws Error for a word that could have a special meaning */
export function plainLine(command: readonly string[]): string {
  for (const text of command)
    if (!plainWord.test(text))
      throw new Error(`not a plain word: ${JSON.stringify(text)}; letters, digits and _ . , : % / = + @ - are allowed`);
  return command.join(" ");
}

/** Runs several commands of `ip` or `tc` in one process, because starting a process takes longer than running a command. */
export const runBatch = (program: readonly string[], commands: readonly string[][]): Promise<string> =>
  run([...program, "-batch", "-"], commands.map((command) => `${plainLine(command)}\n`).join(""));

/** Finds the path of a program on PATH. A name that is a path is returned as it is. @throws Error that names the missing program */
export function findProgram(name: string): string {
  if (name.startsWith("/") && existsSync(name)) return name;
  const found = (process.env.PATH ?? "")
    .split(":")
    .map((folder) => `${folder}/${name}`)
    .find((path) => existsSync(path));
  if (!found) throw new Error(`there is no program ${name}${name.startsWith("/") ? "" : " on PATH"}`);
  return found;
}
