/** Run on the harness's host: calibrates channels, prints each Calibration. Argument: [{channel, tc?}], tc breaks the link. */
import { calibrate } from "../harness/calibration.ts";
import { callHost } from "../harness/control.ts";
import { openObserver } from "../harness/evidence/observer.ts";
import { prepareClient } from "../harness/host.ts";
import type { Channel } from "../harness/model.ts";
import { readTopology } from "../harness/topology.ts";

const cases = JSON.parse(process.argv[2] ?? "[]") as { channel: Channel; tc?: string[][] }[];
const topology = readTopology();
await prepareClient(topology);
await callHost("server1", "PUT", "/server", { server: "nginx", initcwnd: 10, congestion: "cubic" });
const observer = await openObserver(topology, "harness");
for (const { channel, tc } of cases) {
  const set = async () => {
    await callHost("shaper", "PUT", "/link", channel);
    if (tc) await callHost("shaper", "PUT", "/tc", tc);
  };
  for await (const calibration of calibrate(channel, observer, set)) {
    console.log(JSON.stringify(calibration));
    if (tc) break;
  }
}
