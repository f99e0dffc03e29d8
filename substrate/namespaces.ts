import { mkdirSync, readFileSync } from "node:fs";
import { run } from "../hosts/command.ts";

export const isRoot = process.getuid?.() === 0;
/** Options that make an ordinary user root in a user namespace, if the machine allows users to make namespaces. */
export const userNamespace = isRoot ? [] : ["--user", "--map-root-user"];

export const mountPoints = () =>
  readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "");

/** `ip netns exec` and unshare need "/" to be a mount point. In a chroot it is not, so commands run in a bind mount of "/". */
const inChroot = !mountPoints().includes("/");
const boundRoot = `${process.cwd()}/.lab/chroot`;
const enterBoundRoot = `mount --rbind / "$0" && cd / && exec chroot "$0" sh -c 'cd "$0" && exec "$@"' "$@"`;
const chrootWords = ["--propagation", "unchanged", "sh", "-c", enterBoundRoot, boundRoot, process.cwd()];

/** A prefix that gives a command its own mount, network and PID namespaces. They end with the command, and the command with its parent process. */
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

/** Finds out why this user cannot make namespaces here, and what to do. @returns null if the user can */
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
