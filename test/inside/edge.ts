/** What crosses the lab's networks while something happens, and what never got that far. Runs on the harness's host. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "../../hosts/command.ts";
import { environment } from "../../hosts/environment.ts";
import { attachments, readTopology, webHosts } from "../../hosts/topology.ts";
import { startTcpdump } from "../tcpdump.ts";

export interface Seen {
  /** Frames on any port of any host; one is counted at each port it passes. */
  frames: number;
  /** Those that are not TCP between the client and a server. */
  foreign: string[];
  /** Packets this host's IP would have sent but for want of a route. */
  unroutable: number;
  /** UDP datagrams this host sent, wherever to: names are asked for by UDP. */
  datagrams: number;
}

const settleMs = 300;
/** The lane's outer namespace, where every host's cable ends: that of the first process here (netns-lane.ts). */
export const atTheEdge = ["nsenter", "--target", "1", "--net"];

const topology = readTopology();
const client = attachments(topology, "harness")[0]?.address ?? "";
const lawful = `tcp and host ${client} and (${webHosts(topology)
  .map(({ address }) => `host ${address}`)
  .join(" or ")})`;

export async function watch(action: () => Promise<unknown>): Promise<Seen> {
  const file = `${environment.temporary}/edge.pcap`;
  const capture = await startTcpdump([
    ...atTheEdge,
    "tcpdump",
    "-i",
    "any",
    "-n",
    "-Z",
    "root",
    "--immediate-mode",
    "-U",
    "-w",
    file,
  ]);
  const before = counters();
  await action();
  await sleep(settleMs);
  const after = counters();
  capture.kill("SIGINT");
  await once(capture, "exit");
  const lines = async (filter: string) =>
    (await run(["tcpdump", "-n", "-e", "-r", file, filter])).split("\n").filter(Boolean);
  return {
    frames: (await lines("")).length,
    foreign: await lines(`not (${lawful})`),
    unroutable: after.unroutable - before.unroutable,
    datagrams: after.datagrams - before.datagrams,
  };
}

function counters() {
  const lines = readFileSync("/proc/net/snmp", "utf8")
    .split("\n")
    .map((line) => line.split(" "));
  const value = (protocol: string, name: string) => {
    const [names = [], values = []] = lines.filter(([first]) => first === `${protocol}:`);
    return Number(values[names.indexOf(name)]);
  };
  return { unroutable: value("Ip", "OutNoRoutes"), datagrams: value("Udp", "OutDatagrams") };
}
