import { statfsSync } from "node:fs";
import { ExitCode, LabError } from "../errors.ts";
import { run } from "../command.ts";
import { browserProgram } from "../browser.ts";
import { namespaceProblem } from "../substrate/netns.ts";

interface Check {
  what: string;
  /** What was found, or throws with what to do. */
  probe(): Promise<string>;
}

const program = (name: string, debianPackage: string, use: string, ...args: string[]): Check => ({
  what: `${name} (${use})`,
  async probe() {
    const found = await run(["sh", "-c", 'command -v "$1"', "sh", name]).catch(() => "");
    if (!found) throw new Error(`missing: apt-get install ${debianPackage}, or start ./lab as root once`);
    return args.length ? (await run([name, ...args])).trim().split("\n")[0] ?? "" : found.trim();
  },
});

const minimumFreeMiB = 500;
const checks: Check[] = [
  { what: "network namespaces", probe: async () => {
    const problem = await namespaceProblem();
    if (problem) throw new Error(problem);
    return process.getuid?.() === 0 ? "as root" : "as an ordinary user";
  } },
  { what: "netem", probe: netemKind },
  program("ip", "iproute2", "hosts and routes", "-V"),
  program("ethtool", "ethtool", "no superpackets"),
  program("nginx", "nginx-light", "server"),
  program(browserProgram, "chromium-headless-shell", "browser", "--version"),
  { what: "disk", probe: async () => {
    const { bavail, bsize } = statfsSync(".");
    const freeMiB = Math.round((bavail * bsize) / 2 ** 20);
    if (freeMiB < minimumFreeMiB) throw new Error(`${freeMiB} MiB free; ${minimumFreeMiB} are needed`);
    return `${freeMiB} MiB free`;
  } },
];

async function netemKind(): Promise<string> {
  const probe = "tc qdisc add dev lo root netem delay 1ms";
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  if (await run(["unshare", ...user, "--net", ...probe.split(" ")]).then(() => true, () => false)) return "in this kernel";
  const uml = await run(["sh", "-c", "command -v linux.uml"]).catch(() => "");
  if (!uml) throw new Error("this kernel has none, and there is no user-mode kernel: apt-get install user-mode-linux kmod");
  await run(["sh", "-c", "command -v insmod || ls /sbin/insmod"]).catch(() => {
    throw new Error("the user-mode kernel needs insmod: apt-get install kmod");
  });
  return "in a user-mode kernel (this one has none)";
}

export async function doctor(): Promise<void> {
  let problems = 0;
  for (const { what, probe } of checks)
    await probe().then(
      (found) => console.log(`ok       ${what}: ${found}`),
      (error: Error) => {
        problems++;
        console.log(`missing  ${what}: ${error.message}`);
      },
    );
  if (problems) throw new LabError(ExitCode.machineCannot, `${problems} of ${checks.length} checks failed`);
}
