import { type ChildProcess, spawn } from "node:child_process";

/** A process that keeps a core busy until it is killed or this process ends, even by SIGKILL. @param prefix before its command, as in ["nice"] */
export const burner = (...prefix: string[]): ChildProcess =>
  spawn("setpriv", ["--pdeathsig", "KILL", ...prefix, process.execPath, "-e", "for (;;);"]);
