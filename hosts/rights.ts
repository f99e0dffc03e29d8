/** Running what talks to strangers (browser, servers) with no right at all. */
import { chownSync, readFileSync } from "node:fs";

/**
 * Who root's lab becomes: Debian's nobody, and a number its policy reserves, which no account has. Two, so that neither
 * can reach the other. Elsewhere the lab is an ordinary user already.
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
/** In an ordinary user's namespace there is nobody else to be. */
export const isOnlyRoot = isRoot && !mayBecomeOthers;

const noCapability = "--bounding-set=-all";

/** The words before a command that leave it no right but one: root's, to become another user by itself. */
export const noNewRights = ["setpriv", "--no-new-privs", "--inh-caps=-all", ...(isOnlyRoot ? [noCapability] : [])];

/** The words before a command that leave it no capability, and another user than root where there is one. */
export const unprivileged = (user: User): string[] => [
  ...noNewRights,
  ...(mayBecomeOthers ? [noCapability, `--reuid=${userIds[user]}`, `--regid=${userIds[user]}`, "--clear-groups"] : []),
];

/** The same; where root is the only user, not root in a namespace more. */
export const neverRoot = (user: User): string[] => [
  ...unprivileged(user),
  ...(isOnlyRoot ? ["unshare", "--user", `--map-user=${userIds[user]}`, `--map-group=${userIds[user]}`] : []),
];

/** Let the unprivileged command have this file or folder. */
export function giveAway(path: string, user: User): void {
  if (mayBecomeOthers) chownSync(path, userIds[user], userIds[user]);
}

/** This process needs no right from here on. */
export function become(user: User): void {
  if (!mayBecomeOthers) return;
  process.setgroups?.([]);
  process.setgid?.(userIds[user]);
  process.setuid?.(userIds[user]);
}
