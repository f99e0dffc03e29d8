/**
 * Runs a lane in network namespaces: creates the topology's networks and hosts, runs a script (lane.ts, or a test's probe) on the harness's host,
 * and ends with the script's exit code. This process is the first of its namespaces (netns.ts), so everything in them ends when this process ends.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { asBundled } from "../hosts/bundled.ts";
import { run, runBatch } from "../hosts/command.ts";
import { controlDirectory, programsDirectory, stateDirectory, waitForHost } from "../hosts/control.ts";
import { environment } from "../hosts/environment.ts";
import { agentsOf, attachments, readTopology, type Topology } from "../hosts/topology.ts";
import { tracingFolder } from "../observe/tcp-events.ts";
import { madePrograms } from "../servers/made.ts";
import { nodeCommand } from "./substrate.ts";

const startSeconds = 30;
/** False on the virtual clock, because its kernel has no IPv6. */
const hasIpv6 = existsSync("/proc/sys/net/ipv6");
const temporaryDirectory = "/run/lab/tmp";
/** A mount of sysfs with the devices of this network namespace. /sys has the devices of the namespace in which /sys was mounted. */
const ownSysfs = "/run/lab/sys";
/** A mask that selects only the first CPU, in hexadecimal. */
const firstCpu = "1";
const inHost = (host: string, command: string[]) => ["ip", "netns", "exec", host, ...command];

async function makeDirectories(): Promise<void> {
  await run(["mount", "-t", "tmpfs", "-o", "size=1g,mode=755", "lab", "/run"]);
  for (const directory of [stateDirectory, programsDirectory, temporaryDirectory])
    mkdirSync(directory, { recursive: true });
  mkdirSync(controlDirectory, { mode: 0o700 });
  await run(["mount", "--bind", resolve(environment.state), stateDirectory]);
  if (environment.virtualClock) {
    mkdirSync(tracingFolder);
    await run(["mount", "-t", "tracefs", "tracefs", tracingFolder]);
  }
  if (existsSync(madePrograms)) await run(["mount", "--bind", resolve(madePrograms), programsDirectory]);
}

/** Makes a bridge for each network, as Docker does, in the lane's outer namespace. Virtual cables (veth) connect a bridge to its network's hosts. */
async function makeNetworks(topology: Topology, hosts: string[]): Promise<void> {
  if (hasIpv6) await run(["sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1", "net.ipv6.conf.default.disable_ipv6=1"]);
  const bridges = Object.keys(topology.networks).flatMap((network) => [
    ["link", "add", network, "type", "bridge"],
    ["link", "set", network, "up"],
  ]);
  const cables = hosts.flatMap((host) =>
    attachments(topology, host).map(({ network }, i) => ({ host, network, port: `${host}.${i}`, device: `eth${i}` })),
  );
  await runBatch(["ip"], [...bridges, ...hosts.map((host) => ["netns", "add", host])]);
  await runBatch(
    ["ip"],
    cables.flatMap(({ host, network, port, device }) => [
      ["link", "add", port, "type", "veth", "peer", "name", device, "netns", host],
      ["link", "set", port, "master", network, "up"],
    ]),
  );
  for (const { port } of cables)
    await run(["ethtool", "-K", port, "tso", "off", "gso", "off", "gro", "off", "tx", "off"]);
  await receiveOnOneCpu(cables);
}

/**
 * Makes one CPU receive all packets of the virtual cables. By default, the CPU that sent a packet receives it, so the packet can overtake packets
 * that wait on another CPU. Only the machine's root user can set this (RPS in Documentation/networking/scaling.rst); reordering makes loads invalid.
 */
async function receiveOnOneCpu(cables: { host: string; port: string; device: string }[]): Promise<void> {
  if (environment.virtualClock) return; // a guest has one CPU
  const queueOf = (devices: string, device: string) => `${devices}/${device}/queues/rx-0/rps_cpus`;
  try {
    mkdirSync(ownSysfs);
    await run(["mount", "-t", "sysfs", "sysfs", ownSysfs]);
    for (const { port } of cables) writeFileSync(queueOf(`${ownSysfs}/class/net`, port), firstCpu);
    for (const { host, device } of cables)
      await run(inHost(host, ["tee", queueOf("/sys/class/net", device)]), firstCpu);
  } catch (error) {
    console.error(`packets may be received on several CPUs, and reordered: ${(error as Error).message}`);
  }
}

async function makeHost(topology: Topology, host: string): Promise<void> {
  const sysctls = Object.entries(topology.services[host]?.sysctls ?? {});
  const known = sysctls.filter(([key]) => hasIpv6 || !key.startsWith("net.ipv6."));
  if (known.length) await run(inHost(host, ["sysctl", "-qw", ...known.map(([key, value]) => `${key}=${value}`)]));
  const devices = attachments(topology, host).flatMap(({ address, prefixLength }, i) => [
    ["address", "add", `${address}/${prefixLength}`, "dev", `eth${i}`],
    ["link", "set", `eth${i}`, "up"],
  ]);
  await runBatch(["ip", "-netns", host], [["link", "set", "lo", "up"], ...devices]);
}

function start(topology: Topology, host: string, words: string[], stdio: "inherit" | "log"): ChildProcess {
  const command = environment.virtualClock ? asBundled(words) : words;
  const [program = "", ...args] = Object.keys(topology.services[host]?.networks ?? {}).length
    ? inHost(host, command)
    : command;
  const variables = {
    ...process.env,
    ...topology.services[host]?.environment,
    LAB_SUBSTRATE: environment.virtualClock ? "guest" : "netns",
    LAB_TMPDIR: temporaryDirectory,
  };
  return spawn(program, args, { env: variables, stdio: ["ignore", stdio === "log" ? 2 : "inherit", "inherit"] });
}

async function runSetup(topology: Topology, command: string[]): Promise<void> {
  const [code] = (await once(start(topology, "setup", command, "log"), "exit")) as [number | null];
  if (code !== 0) throw new Error("servers/setup.ts failed");
}

async function bringUp(topology: Topology): Promise<void> {
  await makeDirectories();
  const { setup, ...hosts } = topology.services;
  if (!setup) throw new Error("compose.yml has no service setup");
  if (!environment.virtualClock) await runSetup(topology, setup.command); // a guest's setup has run outside the guest
  await makeNetworks(topology, Object.keys(hosts));
  await Promise.all(Object.keys(hosts).map((host) => makeHost(topology, host)));
  for (const host of agentsOf(topology)) {
    const child = start(topology, host, topology.services[host]?.command ?? [], "log");
    child.on("exit", (status, signal) => {
      console.error(`${host} has ended (${signal ?? status})`);
      process.exit(1);
    });
  }
  await Promise.all(agentsOf(topology).map((host) => waitForHost(host, startSeconds)));
}

if (process.pid !== 1 && !environment.virtualClock)
  throw new Error("netns-lane.ts changes the namespaces that it runs in, so it must be their first process");
const topology = readTopology();
await bringUp(topology);
const lane = start(topology, "harness", nodeCommand(...(process.argv.slice(2) as [string])), "inherit");
lane.on("exit", (code) => process.exit(code ?? 1));
