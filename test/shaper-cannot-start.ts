/**
 * Why the real clock's shaper cannot start here, or false. Debian 12's user-mode Linux (6.1) saves a processor's registers in an area of
 * fixed size, and ends with its first program where the processor has more of them, as those with AMX do.
 */
import { spawnSync } from "node:child_process";

/** Then netem needs no user-mode Linux. */
const hasNetem =
  spawnSync("unshare", ["--net", "tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"]).status === 0;

const words = "mem=64M root=none rootfstype=hostfs hostfs=/ ro con=null con0=null,fd:1 init=/bin/true".split(" ");
const { stdout = "" } = spawnSync("linux.uml", words, {
  encoding: "utf8",
  timeout: 20_000,
  stdio: ["ignore", "pipe", "ignore"],
});

export const shaperCannotStart =
  !hasNetem && /fatal_sigsegv/.test(stdout ?? "")
    ? "this machine's user-mode Linux ends with its first program: the processor has more registers than it can save"
    : (false as const);
