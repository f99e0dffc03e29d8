/** The shaper's agent: makes its host the router, and sets up and reads the link. */
import { serveControl } from "../hosts/control.ts";
import { shaperRoutes } from "../hosts/routes.ts";
import { readTopology } from "../hosts/topology.ts";
import { readProcessor } from "../observe/processor.ts";
import { directions } from "../schema/link.ts";
import { startBackend } from "./backend.ts";
import { linkCommands, readDirection } from "./link-commands.ts";
import { type Playing, play } from "./play-trace.ts";

const end = (message: string) => {
  console.error(`shaper: ${message}`);
  process.exit(1);
};
const { name, kernel, tc, devices, wakers } = await startBackend(readTopology(), end);
const read = (json: string) => ({ down: readDirection(json, ends.access), up: readDirection(json, ends.core) });
const ends = { access: devices.get("access") ?? "", core: devices.get("core") ?? "" };
let playing: Playing | undefined;

await serveControl("shaper", shaperRoutes, {
  async setLink(link) {
    playing?.stop();
    playing = undefined;
    const reading = read(await tc.run(linkCommands(link, ends)));
    if (!link.trace || link.traceOffsetMs === undefined) return reading;
    playing = await play(link, {
      ...{ devices: ends, tc: tc.run },
      wake: (direction) => wakers.get(direction === "down" ? ends.access : ends.core)?.(),
      failed: (error) => end(`cannot play the trace ${link.trace?.name}: ${error.message}`),
    });
    return { ...read(await tc.run([])), startedMs: playing.startedMs };
  },
  async readLink() {
    const reading = read(await tc.run([]));
    for (const direction of directions) {
      const { did } = reading[direction];
      did.queuedPackets = Math.max(0, did.queuedPackets - (playing?.waking(direction) ?? 0));
    }
    return reading;
  },
  async tc(commands) {
    await tc.run(commands);
    return null;
  },
  describe: () => ({ name, kernel, devices: ends }),
  processor: readProcessor,
});
