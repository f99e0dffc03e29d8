/** The shaper's agent: makes its host the router, and sets and reads the link. */
import { serveControl } from "../hosts/control.ts";
import { shaperRoutes } from "../hosts/routes.ts";
import { readTopology } from "../hosts/topology.ts";
import { readProcessor } from "../observe/processor.ts";
import { startBackend } from "./backend.ts";
import { linkCommands, readDirection } from "./link.ts";

const { name, kernel, shell, devices } = await startBackend(readTopology(), (message) => {
  console.error(`shaper: ${message}`);
  process.exit(1);
});
const tc = ["tc", "-statistics", "-json"];
const read = (json: string) => ({ down: readDirection(json, ends.access), up: readDirection(json, ends.core) });
const ends = { access: devices.get("access") ?? "", core: devices.get("core") ?? "" };

await serveControl("shaper", shaperRoutes, {
  async setLink(link) {
    return read(await shell.batch(tc, [...linkCommands(link, ends), ["qdisc", "show"]]));
  },
  /** Both directions by one command: in a user-mode kernel, starting tc is what takes the time. */
  readLink: async () => read(await shell.batch(tc, [["qdisc", "show"]])),
  async tc(commands) {
    await shell.batch(tc, commands);
    return null;
  },
  describe: () => ({ name, kernel, devices: ends }),
  processor: readProcessor,
});
