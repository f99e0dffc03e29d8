import { mkdirSync } from "node:fs";
import { LabError, ExitCode } from "../errors.ts";
import { run } from "../command.ts";
import { nodeCommand, type Substrate } from "./substrate.ts";

/** Certificates and pages, kept between runs; the hosts see it as /run/lab/state. */
export const stateFolder = ".lab/state";

/**
 * One network namespace a host, all inside mount, network and PID namespaces of the lane's own: nothing of it has a
 * name outside, and when the lane's first process ends, however it ends, the kernel takes all of it down. setpriv ends
 * that process when the runner is gone.
 */
export const netns: Substrate = {
  name: "netns",
  lockPath: ".lab/run.lock",
  commandInside: (script, ...args) => [...isolated, ...nodeCommand("harness/substrate/netns-lane.ts", script, ...args)],
  async open() {
    mkdirSync(stateFolder, { recursive: true });
    const problem = await namespaceProblem();
    if (problem) throw new LabError(ExitCode.machineCannot, problem);
    return () => {};
  },
};

const asUser = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
const unshare = ["unshare", ...asUser, "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
const isolated = ["setpriv", "--pdeathsig", "KILL", ...unshare];

/** Why this user cannot make namespaces here and what to do, or null. */
export async function namespaceProblem(): Promise<string | null> {
  try {
    await run([...isolated, "true"]);
    return null;
  } catch (error) {
    const advice = asUser.length
      ? "run as root, or let users make namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0)"
      : "in a container it takes --privileged; or use Docker Compose";
    return `cannot make network namespaces: ${(error as Error).message}\n${advice}`;
  }
}
