/** Run on the harness's host: calibrates the channels of its argument, a JSON array; prints each Calibration. */
import { calibrate } from "../harness/lane/calibration.ts";
import { callHost } from "../hosts/control.ts";
import { prepareClient } from "../hosts/prepare.ts";
import { readTopology } from "../hosts/topology.ts";
import { openObserver } from "../observe/observer.ts";
import type { Channel } from "../schema/model.ts";

const channels = JSON.parse(process.argv[2] ?? "[]") as Channel[];
const topology = readTopology();
await prepareClient(topology);
await callHost("server1", "PUT", "/server", { server: "nginx", initcwnd: 10, congestion: "cubic" });
const observer = await openObserver(topology, "harness");
for (const channel of channels)
  for await (const calibration of calibrate(channel, observer)) console.log(JSON.stringify(calibration));
