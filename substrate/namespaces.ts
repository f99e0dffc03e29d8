import { mkdirSync, readFileSync } from "node:fs";
import { run } from "../hosts/command.ts";

export const isRoot = process.getuid?.() === 0;
/** An ordinary user is root in a user namespace of its own, where the machine lets users make them. */
export const userNamespace = isRoot ? [] : ["--user", "--map-root-user"];

/** Of this mount namespace. */
export const mountPoints = () =>
  readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "");

/** In a chroot "/" is no mount point, which `ip netns exec` and unshare's private mounts need: bind it, go in there. */
const inChroot = !mountPoints().includes("/");
const boundRoot = `${process.cwd()}/.lab/root`;
const enterBoundRoot = `mount --rbind / "$0" && cd / && exec chroot "$0" sh -c 'cd "$0" && exec "$@"' "$@"`;
const chrootWords = ["--propagation", "unchanged", "sh", "-c", enterBoundRoot, boundRoot, process.cwd()];

/**
 * The words before a command that give it mount, network and PID namespaces of its own: nothing of it has a name
 * outside, and when its first process ends, however it ends, the kernel takes all of it down. setpriv ends that process
 * when the one that started it is gone.
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

/** Why this user cannot make namespaces here and what to do, or null. */
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
