/** The user-mode kernel that shapes where this machine's kernel has no netem. */
import { readFileSync } from "node:fs";
import { kernelPath } from "../substrate/guest/kernel/kernel.ts";

/** Whether Debian's user-mode Linux cannot run here: up to version 6.12, its area for saved registers is too small for processors with AMX. */
export const needsOwnKernel = (cpuinfo = readFileSync("/proc/cpuinfo", "utf8")) =>
  /^flags\s*:.*\bamx_tile\b/m.test(cpuinfo);

/** Returns the first words of the command that starts the kernel. @throws Error if the lab's own kernel is needed and has not been built */
export function userModeKernel(): string[] {
  if (!needsOwnKernel()) return ["linux.uml"];
  const path = kernelPath();
  if (path === null)
    throw new Error(
      "Debian's user-mode Linux cannot save this processor's AMX registers, and the lab's own kernel has not been built: use --substrate netns, which builds it",
    );
  return [path, "seccomp=on"];
}
