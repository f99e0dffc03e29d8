import { run } from "../command.ts";

export const isRoot = process.getuid?.() === 0;
/** An ordinary user is root in a user namespace of its own, where the machine lets users make them. */
export const userNamespace = isRoot ? [] : ["--user", "--map-root-user"];

/**
 * The words before a command that give it mount, network and PID namespaces of its own: nothing of it has a name
 * outside, and when its first process ends, however it ends, the kernel takes all of it down. setpriv ends that process
 * when the one that started it is gone.
 */
export const isolated = [
  "setpriv", "--pdeathsig", "KILL",
  "unshare", ...userNamespace, "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc",
];

/** Why this user cannot make namespaces here and what to do, or null. */
export async function namespaceProblem(): Promise<string | null> {
  try {
    await run([...isolated, "true"]);
    return null;
  } catch (error) {
    const advice = isRoot
      ? "in a container it takes --privileged; or use Docker Compose"
      : "run as root, or let users make namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0)";
    return `cannot make network namespaces: ${(error as Error).message}\n${advice}`;
  }
}
