/** Finds the queueing disciplines that this machine's kernel lacks. Hosts in its network namespaces lack them too. */
import { execFileSync } from "node:child_process";
import { serverQdiscs } from "../schema/server-qdiscs.ts";
import { userNamespace } from "./namespaces.ts";

/** Setting -> the discipline that it needs on a server's host. */
const settings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(serverQdiscs.map((name) => [`server.qdisc=${name}`, name])),
  "server.recordedRtts=true": "netem",
};

/** Returns, for `cannotSet`, the settings that this kernel cannot provide, and why. */
export const lackingQdiscs = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings)
      .filter(([, name]) => !isThere(name))
      .map(([setting, name]) => [setting, `its kernel has no queueing discipline ${name}; --clock virtual has it`]),
  );

function isThere(name: string): boolean {
  const command = ["--net", "tc", "qdisc", "add", "dev", "lo", "root", name];
  try {
    execFileSync("unshare", [...userNamespace, ...command], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
