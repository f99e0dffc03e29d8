import { globalAgent } from "node:http";
import { controlDirectory, holdSession, waitForHost } from "../control.ts";
import { readTopology } from "../topology.ts";
import { nodeCommand, type Substrate } from "./substrate.ts";

const startSeconds = 60;

/** Inside the harness's container: the engine has brought the other hosts up. */
export const compose: Substrate = {
  name: "compose",
  lockPath: `${controlDirectory}/run.lock`,
  commandInside: nodeCommand,
  /** The agents end with this session, so that `docker compose up` ends when the harness does. */
  async open() {
    const agents = agentsOf();
    await Promise.all(agents.map((host) => waitForHost(host, startSeconds)));
    let open = true;
    for (const host of agents)
      await holdSession(host, () => {
        if (open) console.error(`${host} has gone away; "docker compose logs ${host}" says why`);
      });
    return () => {
      open = false;
      // The sessions end with this process, but must not keep it alive.
      for (const socket of Object.values(globalAgent.sockets).flatMap((sockets) => sockets ?? [])) socket.unref();
    };
  },
};

/** Every host that has a control socket, the harness aside. */
export function agentsOf(topology = readTopology()): string[] {
  return Object.entries(topology.services)
    .filter(([name, service]) => name !== "harness" && Object.keys(service.networks).length > 0)
    .map(([name]) => name);
}
