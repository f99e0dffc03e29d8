/** Running what talks to strangers (browser, servers) with no right at all. */
import { chownSync, readFileSync } from "node:fs";

/** Debian's user and group nobody: root's lab becomes them. Elsewhere the lab is an ordinary user already. */
const nobody = 65534;
const isRoot = process.getuid?.() === 0;
const mayBecomeNobody = isRoot && readFileSync("/proc/self/uid_map", "utf8").trim().split("\n").some((line) => {
  const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
  return first <= nobody && nobody < first + count;
});
/** Of an ordinary user's namespace, where there is nobody else to be. */
export const isOnlyRoot = isRoot && !mayBecomeNobody;

/** The words before a command that leave it no way to more rights than its user has. */
export const noNewRights = ["setpriv", "--no-new-privs", "--inh-caps=-all"];

/** The words before a command that leave it no capability, and another user than root where there is one. */
export const unprivileged = [
  ...noNewRights,
  ...(isRoot ? ["--bounding-set=-all"] : []),
  ...(mayBecomeNobody ? [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : []),
];

/** The same, with nobody in a namespace more where root is the only user. */
export const asNobody = [...unprivileged, ...(isOnlyRoot ? ["unshare", "--user", `--map-user=${nobody}`, `--map-group=${nobody}`] : [])];

/** Let the unprivileged command have this file or folder. */
export function giveAway(path: string): void {
  if (mayBecomeNobody) chownSync(path, nobody, nobody);
}

/** This process needs no right from here on. */
export function becomeNobody(): void {
  if (!mayBecomeNobody) return;
  process.setgroups?.([]);
  process.setgid?.(nobody);
  process.setuid?.(nobody);
}
