import { once } from "node:events";
import { controlDirectory, holdSession, waitForHost } from "../hosts/control.ts";
import { agentsOf } from "../hosts/topology.ts";
import { lackingCongestion } from "./congestion.ts";
import { nodeCommand, realLanes, type Substrate } from "./substrate.ts";

const startSeconds = 60;
const readOnly =
  "/proc/sys is read-only in a container; ./lab run --substrate netns can set it, and needs no container engine";

/** The substrate inside the harness's container. The container engine has already started the other hosts. */
export const compose: Substrate = {
  name: "compose",
  clock: "real",
  lockPath: `${controlDirectory}/run.lock`,
  lanes: realLanes,
  get cannotSet() {
    return {
      ...lackingCongestion(),
      "client.sysctls": readOnly,
      "server.sysctls": readOnly,
      "route.server.slowStartAfterIdle": readOnly,
    };
  },
  lacks: () => null, // the hosts' images have what servers need
  timeOf: () => new Date(),
  commandInside: nodeCommand,
  laneCommand: (_, script, file) => nodeCommand(script, file),
  /** Holds a session on each agent. Agents end after this process, so that `docker compose up` returns the exit code of this process. */
  async open(onLost, signal) {
    const agents = agentsOf();
    const interrupted = once(signal, "abort").then(() => signal.throwIfAborted());
    await Promise.race([interrupted, Promise.all(agents.map((host) => waitForHost(host, startSeconds)))]);
    const releases = await Promise.all(
      agents.map((host) =>
        holdSession(host, () => onLost(`${host} has ended; "docker compose logs ${host}" shows why`)),
      ),
    );
    return () => {
      for (const release of releases) release();
    };
  },
};
