import { mkdirSync } from "node:fs";
import { ExitCode, LabError } from "../errors.ts";
import { checks } from "./checks.ts";
import { isolated } from "./namespaces.ts";
import { nodeCommand, type Substrate } from "./substrate.ts";

/** Certificates and pages, kept between runs; the hosts see it as /run/lab/state. LAB_STATE: another one, for tests. */
export const stateFolder = process.env.LAB_STATE ?? ".lab/state";

/** One network namespace a host, inside namespaces of the lane's own. */
export const netns = {
  name: "netns",
  lockPath: ".lab/run.lock",
  commandInside: (script, ...args) => [...isolated, ...nodeCommand("harness/substrate/netns-lane.ts", script, ...args)],
  async open() {
    mkdirSync(stateFolder, { recursive: true });
    for (const { what, probe } of checks)
      await probe().catch((error: Error) => {
        throw new LabError(ExitCode.machineCannot, `${what}: ${error.message}`);
      });
    return () => {};
  },
} satisfies Substrate;
