/**
 * Runs on the harness's host. Sends requests during outages of the link, when the link's queue is empty. Prints a JSON array:
 * for each request, the time from the outage's end until the response continued, in milliseconds.
 */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { readRegistries } from "../../axes/registries.ts";
import { ClientTcp } from "../../hosts/client-tcp.ts";
import { ask } from "../../hosts/control.ts";
import { serverRoutes, shaperRoutes } from "../../hosts/routes.ts";
import { readTopology } from "../../hosts/topology.ts";
import { fullSegmentBytes, type Link } from "../../schema/link.ts";
import { isImported } from "../../schema/registries.ts";
import { usualTls } from "../../schema/tls.ts";

const [busyMs, outageMs, rttMs] = [400, 400, 20];
const link: Link = {
  ...{ downMbps: 4, upMbps: 10, rttMs, lossPercent: 0, queuePackets: 50, traceOffsetMs: 0 },
  trace: {
    name: "outages",
    down: [
      [busyMs, 8],
      [outageMs, 0],
    ],
    up: [[busyMs + outageMs, 10]],
  },
};
const route = { client: { congestion: "cubic" }, server: { initcwnd: 10, congestion: "cubic" } };
const clientTcp = await ClientTcp.open(readTopology());
await clientTcp.set({ route, client: { software: "chromium", sysctls: {} } });
await ask("server1", serverRoutes.configure, { software: "nginx", tls: usualTls, route: route.server });
const page = readRegistries().pages.C;
const [path] = page && !isImported(page) ? Object.keys(page.objects) : [];
const { startedMs = 0 } = await ask("shaper", shaperRoutes.setLink, link);
const lateMs: number[] = [];
for (let period = 2; lateMs.length < 10; period += 3) {
  const outageFromMs = startedMs + period * (busyMs + outageMs) + busyMs;
  await sleep(outageFromMs - busyMs / 2 - Date.now());
  const socket = connect(4430, "198.18.1.11");
  await once(socket, "connect");
  await sleep(outageFromMs + 100 - Date.now());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: s1.lab\r\n\r\n`);
  // During an outage the link sends one full packet, and as much as the token bucket had left.
  for (let bytes = 0; bytes <= 2 * fullSegmentBytes; ) bytes += ((await once(socket, "data")) as [Buffer])[0].length;
  lateMs.push(Date.now() - (outageFromMs + outageMs));
  socket.resetAndDestroy();
}
console.log(JSON.stringify(lateMs));
