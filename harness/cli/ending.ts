/** A failed command prints one message if the user can solve the problem, and a stack trace if the lab has a defect. */
import { CommanderError } from "commander";
import { ExitCode, LabError } from "../../schema/errors.ts";

/** File system errors that users can solve. ENOENT is not among them, because the lab checks that files exist before it reads them. */
const refusals: Readonly<Record<string, string>> = {
  EACCES: "this user has no permission for it",
  EPERM: "this user has no permission for it",
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "this user's disk quota is exhausted",
  ENOTDIR: "a part of the path is not a folder",
  EEXIST: "something else with this name exists already",
  EISDIR: "it is a folder",
};

/** @returns an empty text if the command-line parser has printed the message already */
export function endingOf(error: unknown): { exitCode: ExitCode; text: string } {
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? ExitCode.done : ExitCode.usage, text: "" };
  if (error instanceof LabError) return { exitCode: error.exitCode, text: error.message };
  const { code = "", path, syscall, stack } = error as NodeJS.ErrnoException;
  const why = refusals[code];
  if (why && path) return { exitCode: ExitCode.machineCannot, text: `${path}: ${why} (${code}, ${syscall})` };
  return { exitCode: ExitCode.failed, text: `this is a defect of the lab: ${stack ?? error}` };
}
