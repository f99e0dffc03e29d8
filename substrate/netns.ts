import { mkdirSync } from "node:fs";
import { findProgram } from "../hosts/command.ts";
import { environment } from "../hosts/environment.ts";
import { needsOwnKernel } from "../shaper/user-mode-kernel.ts";
import { checks, hasNetem, requireAll } from "./checks.ts";
import { lackingCongestion } from "./congestion.ts";
import { buildKernel } from "./guest/kernel/kernel.ts";
import { isolated } from "./namespaces.ts";
import { lackingQdiscs } from "./qdiscs.ts";
import { nodeCommand, realLanes, type Substrate } from "./substrate.ts";

const commandInside = (script: string, ...args: (string | undefined)[]) => [
  ...isolated,
  ...nodeCommand("substrate/netns-lane.ts", script, ...args),
];

/** Looks for a program on this machine, because hosts use this machine's programs. */
function lacks(program: string, folder: string): string | null {
  try {
    findProgram(program);
    return null;
  } catch (error) {
    return `${(error as Error).message}; to install its Debian packages (${folder}/packages.txt): hosts/packages.sh list ${folder} | hosts/packages.sh install`;
  }
}

/** The substrate that runs each host in a network namespace, inside the namespaces of the lane. */
export const netns = {
  name: "netns",
  lockPath: ".lab/run.lock",
  clock: "real",
  lanes: realLanes,
  commandInside,
  laneCommand: (_, script, file) => commandInside(script, file),
  get cannotSet() {
    return { ...lackingCongestion(), ...lackingQdiscs() };
  },
  lacks,
  timeOf: () => new Date(),
  async open() {
    mkdirSync(environment.state, { recursive: true });
    await requireAll(checks);
    if (!(await hasNetem()) && needsOwnKernel()) await buildKernel();
    return () => {};
  },
} satisfies Substrate;
