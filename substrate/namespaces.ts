import { mkdirSync, readFileSync } from "node:fs";
import { run } from "../hosts/command.ts";

export const isRoot = process.getuid?.() === 0;
/** An ordinary user is root in a user namespace, if the machine allows users to make one. */
export const userNamespace = isRoot ? [] : ["--user", "--map-root-user"];

/** The mount points of this mount namespace. */
export const mountPoints = () =>
  readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "");

/** `ip netns exec` and unshare need "/" to be a mount point. In a chroot it is none, so it is bind-mounted, and commands run in there. */
const inChroot = !mountPoints().includes("/");
const boundRoot = `${process.cwd()}/.lab/chroot`;
const enterBoundRoot = `mount --rbind / "$0" && cd / && exec chroot "$0" sh -c 'cd "$0" && exec "$@"' "$@"`;
const chrootWords = ["--propagation", "unchanged", "sh", "-c", enterBoundRoot, boundRoot, process.cwd()];

/**
 * The words before a command that give it mount, network and PID namespaces of its own. Nothing in them is visible outside. When the
 * first process ends, for whatever reason, the kernel removes everything in them; setpriv ends it together with its parent.
 */
export const isolated = [
  "setpriv",
  "--pdeathsig",
  "KILL",
  "unshare",
  ...userNamespace,
  "--mount",
  "--net",
  "--pid",
  "--fork",
  "--kill-child",
  "--mount-proc",
  ...(inChroot ? chrootWords : []),
];

/** Why this user cannot make namespaces here, and what to do; null if they can. */
export async function namespaceProblem(): Promise<string | null> {
  if (inChroot) mkdirSync(boundRoot, { recursive: true });
  try {
    await run([...isolated, "true"]);
  } catch (error) {
    const advice = isRoot
      ? "in a container it takes --privileged; or use Docker Compose"
      : "run as root, or let users make namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0)";
    return `cannot make network namespaces: ${(error as Error).message}\n${advice}`;
  }
  if (!mountPoints().includes(boundRoot)) return null;
  await run(["umount", "--recursive", boundRoot]);
  return "this chroot shares its mounts with the machine around it: there, first mount --bind and mount --make-private its folder";
}
