/** Captures what crosses the lab's networks during an action, and counts packets that could not leave this host. Runs on the harness's host. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "../../hosts/command.ts";
import { environment } from "../../hosts/environment.ts";
import { attachments, readTopology, webHosts } from "../../hosts/topology.ts";
import { startTcpdump } from "../tcpdump.ts";

export interface Seen {
  /** Frames on any port of any host; a frame counts at each port that it passes. */
  frames: number;
  /** Frames that are not TCP between the client and a server. */
  foreign: string[];
  /** Packets that this host could not send because it has no route. */
  unroutable: number;
  /** UDP datagrams that this host sent to any address. DNS queries would count here, because they use UDP. */
  datagrams: number;
}

const settleMs = 300;
/** Enters the lane's outer namespace, where the virtual cables (veth) of all hosts end. Process 1 is in this namespace (netns-lane.ts). */
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
