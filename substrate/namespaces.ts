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

/** `ip netns exec` and unshare need "/" to be a mount point. In a chroot it is not, so it is bind-mounted, and commands run in that mount. */
const inChroot = !mountPoints().includes("/");
const boundRoot = `${process.cwd()}/.lab/chroot`;
const enterBoundRoot = `mount --rbind / "$0" && cd / && exec chroot "$0" sh -c 'cd "$0" && exec "$@"' "$@"`;
const chrootWords = ["--propagation", "unchanged", "sh", "-c", enterBoundRoot, boundRoot, process.cwd()];

/**
 * A prefix that gives a command its own mount, network and PID namespaces. Nothing in them is visible outside. When their first process
 * ends, for whatever reason, the kernel removes everything in them; setpriv ends that process together with its parent.
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
      ? "in a container this requires --privileged; or use Docker Compose"
      : "run as root, or let users make namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0)";
    return `cannot make network namespaces: ${(error as Error).message}\n${advice}`;
  }
  if (!mountPoints().includes(boundRoot)) return null;
  await run(["umount", "--recursive", boundRoot]);
  return "this chroot shares its mounts with the machine outside: on that machine, first mount --bind and mount --make-private the chroot's folder";
}
