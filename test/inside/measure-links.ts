/** Runs on the harness's host: calibrates the links in its argument, a JSON array; prints each Calibration. */
import { calibrate } from "../../harness/lane/calibration.ts";
import { ClientTcp } from "../../hosts/client-tcp.ts";
import { ask } from "../../hosts/control.ts";
import { serverRoutes } from "../../hosts/routes.ts";
import { readTopology } from "../../hosts/topology.ts";
import { openObserver } from "../../observe/observer.ts";
import type { Link } from "../../schema/link.ts";
import type { Calibration } from "../../schema/records.ts";
import { usualTls } from "../../schema/tls.ts";

const links = JSON.parse(process.argv[2] ?? "[]") as Link[];
const topology = readTopology();
const route = { client: { congestion: "cubic" }, server: { initcwnd: 10, congestion: "cubic" } };
const clientTcp = await ClientTcp.open(topology);
await clientTcp.set({ route, client: { software: "chromium", sysctls: {} } });
await ask("server1", serverRoutes.configure, { software: "nginx", tls: usualTls, route: route.server });
const observer = await openObserver(topology, "harness", []);
let count = 0;
for (const link of links)
  for await (const measured of calibrate(link, observer)) {
    const calibration: Calibration = { calibration: `0.${count++}`, ...measured };
    console.log(JSON.stringify(calibration));
  }
