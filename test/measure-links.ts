/** Run on the harness's host: measures channels, prints one JSON line each. Argument: [{channel, tc?}], tc being what to break. */
import { measureLink } from "../harness/calibration.ts";
import { callHost } from "../harness/control.ts";
import { here, prepareHost, routeCommand } from "../harness/host.ts";
import type { Channel } from "../harness/model.ts";
import { readTopology } from "../harness/topology.ts";

const cases = JSON.parse(process.argv[2] ?? "[]") as { channel: Channel; tc?: string[][] }[];
const topology = readTopology();
await prepareHost(here, topology, "harness");
await here.run(routeCommand(topology, "harness", { congestion: "cubic" }));
await callHost("server1", "PUT", "/server", { server: "nginx", initcwnd: 10, congestion: "cubic" });
for (const { channel, tc } of cases) {
  const measured = await measureLink(channel, async () => {
    await callHost("shaper", "PUT", "/link", channel);
    if (tc) await callHost("shaper", "PUT", "/tc", tc);
  });
  console.log(JSON.stringify({ channel: channel.name, measured, link: await callHost("shaper", "GET", "/link") }));
}
