/**
 * The shaper's agent: makes its host the router and sets the link. Routes: PUT /link, GET /link, PUT /tc, GET /processor,
 * GET /backend.
 */
import { serveControl } from "../hosts/control.ts";
import { readTopology } from "../hosts/topology.ts";
import { readProcessor } from "../observe/processor.ts";
import type { Channel } from "../schema/model.ts";
import { startBackend } from "./backend.ts";
import { linkCommands, readCounters } from "./link.ts";

const backend = await startBackend(readTopology(), (message) => {
  console.error(`shaper: ${message}`);
  process.exit(1);
});
const devices = { access: backend.devices.get("access") ?? "", core: backend.devices.get("core") ?? "" };
let current: Channel | null = null;

async function setLink(channel: Channel) {
  await backend.shell.tc(linkCommands(channel, devices));
  current = channel;
}

/** Both directions by one command: in a user-mode kernel, starting tc is what takes the time. */
async function state() {
  const json = await backend.shell.run(["tc", "-s", "-json", "qdisc", "show"]);
  return { channel: current, down: readCounters(json, devices.access), up: readCounters(json, devices.core) };
}

await serveControl("shaper", {
  "PUT /link": setLink,
  "GET /link": state,
  // For calibration and for tests that must see a wrong link: any commands for tc.
  "PUT /tc": (commands: string[][]) => backend.shell.tc(commands),
  "GET /processor": readProcessor,
  "GET /backend": () => ({ name: backend.name, kernel: backend.kernel, devices }),
});
