/** What a machine without a Docker engine must have, and what to do if something is missing. */
import { statfsSync } from "node:fs";
import { browserProgram } from "../clients/chromium/start-chromium.ts";
import { findProgram, run } from "../hosts/command.ts";
import { captureLibrary } from "../observe/packet-capture.ts";
import { ExitCode, LabError } from "../schema/errors.ts";
import { needsOwnKernel } from "../shaper/user-mode-kernel.ts";
import { kernelPath, kernelVersion } from "./guest/kernel/kernel.ts";
import { findRoot } from "./guest/root/root.ts";
import { isRoot, namespaceProblem, userNamespace } from "./namespaces.ts";

export interface Check {
  what: string;
  /** @returns what was found @throws Error with what to do */
  probe(): Promise<string>;
}

const program = (name: string, debianPackage: string, use: string, ...args: string[]): Check => ({
  what: `${name} (${use})`,
  async probe() {
    const path = have(name, debianPackage);
    return args.length ? ((await run([name, ...args])).trim().split("\n")[0] ?? "") : path;
  },
});

function have(name: string, debianPackage: string): string {
  try {
    return findProgram(name);
  } catch {
    throw new Error(
      `${name} is missing: run "apt-get install ${debianPackage}", or "./lab run" as root, which installs it`,
    );
  }
}

const minimumFreeMiB = 500;
export const diskCheck: Check = {
  what: "disk",
  probe: async () => {
    const { bavail, bsize } = statfsSync(".");
    const freeMiB = Math.round((bavail * bsize) / 2 ** 20);
    if (freeMiB < minimumFreeMiB)
      throw new Error(`${freeMiB} MiB are free in this folder; at least ${minimumFreeMiB} MiB are needed`);
    return `${freeMiB} MiB free`;
  },
};

/** The requirements of hosts in this machine's network namespaces. */
export const checks: Check[] = [
  {
    what: "network namespaces",
    probe: async () => {
      const problem = await namespaceProblem();
      if (problem) throw new Error(problem);
      return isRoot ? "as root" : "as an ordinary user";
    },
  },
  { what: "netem", probe: netemKind },
  program("ip", "iproute2", "hosts and routes", "-V"),
  program("ethtool", "ethtool", "no superpackets"),
  program("nginx", "nginx", "server"),
  program("iperf3", "iperf3", "calibration"),
  {
    what: "libpcap (captures)",
    probe: async () => {
      try {
        return captureLibrary();
      } catch (error) {
        throw new Error(
          `${(error as Error).message}: run "apt-get install tcpdump", or "./lab run" as root, which installs it`,
          {
            cause: error,
          },
        );
      }
    },
  },
  program(browserProgram, "chromium-headless-shell", "browser", "--version"),
  diskCheck,
];

/** @throws LabError with the first check that fails, and what to do */
export async function requireAll(all: Check[]): Promise<void> {
  for (const { what, probe } of all)
    await probe().catch((error: Error) => {
      throw new LabError(ExitCode.machineCannot, `${what}: ${error.message}`);
    });
}

export const hasNetem = (): Promise<boolean> =>
  run(["unshare", ...userNamespace, "--net", ..."tc qdisc add dev lo root netem delay 1ms".split(" ")]).then(
    () => true,
    () => false,
  );

async function netemKind(): Promise<string> {
  if (await hasNetem()) return "in this kernel";
  if (needsOwnKernel())
    return "in the lab's own user-mode kernel (this machine's kernel has no netem, and Debian's user-mode kernel does not support AMX)";
  have("linux.uml", "user-mode-linux");
  have("insmod", "kmod");
  return "in a user-mode kernel (this machine's kernel has no netem)";
}

/** The requirements of the virtual clock. The first run on the virtual clock builds what is missing. */
export const virtualClockChecks: Check[] = [
  {
    what: "kernel of the virtual clock",
    async probe() {
      if (process.arch !== "x64") throw new Error(`it requires x86-64, and this machine is ${process.arch}`);
      const path = kernelPath();
      if (!path) throw new Error("not built yet: substrate/guest/kernel/build.sh builds it in 2 to 3 minutes");
      return kernelVersion(path);
    },
  },
  {
    what: "root file system of its guests",
    async probe() {
      const root = findRoot();
      if (!root)
        throw new Error(
          "not built yet: substrate/guest/root/build.sh builds it in 1 to 3 minutes, from 450 MB of Debian packages",
        );
      return `${root.packages.trim().split("\n").length} packages, SHA-256 ${root.sha256}`;
    },
  },
];
