/** Run on the harness's host: calibrates the channels of its argument, a JSON array; prints each Calibration. */
import { calibrate } from "../harness/calibration.ts";
import { callHost } from "../harness/control.ts";
import { openObserver } from "../harness/evidence/observer.ts";
import { prepareClient } from "../harness/host.ts";
import type { Channel } from "../harness/model.ts";
import { readTopology } from "../harness/topology.ts";

const channels = JSON.parse(process.argv[2] ?? "[]") as Channel[];
const topology = readTopology();
await prepareClient(topology);
await callHost("server1", "PUT", "/server", { server: "nginx", initcwnd: 10, congestion: "cubic" });
const observer = await openObserver(topology, "harness");
for (const channel of channels) for await (const calibration of calibrate(channel, observer)) console.log(JSON.stringify(calibration));
