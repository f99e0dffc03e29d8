import { type ChildProcess, spawn } from "node:child_process";

/** Keeps a core busy until the child process is killed or this process ends, even by SIGKILL. @param prefix words before its command */
export const burner = (...prefix: string[]): ChildProcess =>
  spawn("setpriv", ["--pdeathsig", "KILL", ...prefix, process.execPath, "-e", "for (;;);"]);
