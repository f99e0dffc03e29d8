import { mkdirSync } from "node:fs";
import { checks, requireAll } from "./checks.ts";
import { isolated } from "./namespaces.ts";
import { nodeCommand, realLanes, type Substrate } from "./substrate.ts";

/** Certificates and pages, kept between runs; the hosts see it as /run/lab/state. LAB_STATE: another one, for tests. */
export const stateFolder = process.env.LAB_STATE ?? ".lab/state";

const commandInside = (script: string, ...args: string[]) => [
  ...isolated,
  ...nodeCommand("substrate/netns-lane.ts", script, ...args),
];

/** One network namespace a host, inside namespaces of the lane's own. */
export const netns = {
  name: "netns",
  lockPath: ".lab/run.lock",
  clock: "real",
  lanes: realLanes,
  commandInside,
  laneCommand: (_, script, ...args) => commandInside(script, ...args),
  timeOf: () => new Date(),
  async open() {
    mkdirSync(stateFolder, { recursive: true });
    await requireAll(checks);
    return () => {};
  },
} satisfies Substrate;
