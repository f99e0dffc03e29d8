/** The shaper's agent: makes its host the router, and sets up and reads the link. */
import { serveControl } from "../hosts/control.ts";
import { shaperRoutes } from "../hosts/routes.ts";
import { readTopology } from "../hosts/topology.ts";
import { readProcessor } from "../observe/processor.ts";
import { startBackend } from "./backend.ts";
import { linkCommands, readDirection } from "./link-commands.ts";
import { openTc } from "./tc.ts";

const { name, kernel, shell, devices } = await startBackend(readTopology(), (message) => {
  console.error(`shaper: ${message}`);
  process.exit(1);
});
const tc = openTc(shell);
const read = (json: string) => ({ down: readDirection(json, ends.access), up: readDirection(json, ends.core) });
const ends = { access: devices.get("access") ?? "", core: devices.get("core") ?? "" };

await serveControl("shaper", shaperRoutes, {
  async setLink(link) {
    return read(await tc(linkCommands(link, ends)));
  },
  readLink: async () => read(await tc([])),
  async tc(commands) {
    await tc(commands);
    return null;
  },
  describe: () => ({ name, kernel, devices: ends }),
  processor: readProcessor,
});
