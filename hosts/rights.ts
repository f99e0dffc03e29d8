/** Runs browsers and servers, which process data from the network, without any privilege. */
import { chownSync, readFileSync } from "node:fs";

/**
 * The users to which servers and the browser switch if root starts the lab: Debian's nobody, and a reserved number that no account has. The
 * users differ, so that server and browser cannot access each other's files. If an ordinary user starts the lab, everything runs as that user.
 */
export const userIds = { server: 65534, browser: 65533 };
export type User = keyof typeof userIds;

const isRoot = process.getuid?.() === 0;
const maps = (id: number) =>
  readFileSync("/proc/self/uid_map", "utf8")
    .trim()
    .split("\n")
    .some((line) => {
      const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
      return first <= id && id < first + count;
    });
const mayBecomeOthers = isRoot && Object.values(userIds).every(maps);
/** True if this process is root, and its user namespace maps no other user, as in an ordinary user's namespace. */
export const isOnlyRoot = isRoot && !mayBecomeOthers;

const noCapability = "--bounding-set=-all";

/** Prefix for a command that can gain no privileges. If root starts the command, it can still switch to another user by itself. */
export const noNewRights = ["setpriv", "--no-new-privs", "--inh-caps=-all", ...(isOnlyRoot ? [noCapability] : [])];

/** Prefix for a command without capabilities. If the namespace has users other than root, the command runs as one of them. */
export const unprivileged = (user: User): string[] => [
  ...noNewRights,
  ...(mayBecomeOthers ? [noCapability, `--reuid=${userIds[user]}`, `--regid=${userIds[user]}`, "--clear-groups"] : []),
];

/** Like `unprivileged`, but if root is the only user, the command gets a new user namespace, where it is not root. */
export const neverRoot = (user: User): string[] => [
  ...unprivileged(user),
  ...(isOnlyRoot ? ["unshare", "--user", `--map-user=${userIds[user]}`, `--map-group=${userIds[user]}`] : []),
];

export function makeOwner(path: string, user: User): void {
  if (mayBecomeOthers) chownSync(path, userIds[user], userIds[user]);
}

export function become(user: User): void {
  if (!mayBecomeOthers) return;
  process.setgroups?.([]);
  process.setgid?.(userIds[user]);
  process.setuid?.(userIds[user]);
}
