/** Prints masks of the CPUs that receive packets, for this host's device and each port of the lab's bridges. Runs on the harness's host. */
import { readdirSync, readFileSync } from "node:fs";

/** The devices in the namespace of the bridges; netns-lane.ts mounts them here. */
const ofBridges = "/run/lab/sys/class/net";
const ports = readdirSync(ofBridges).filter((name) => name.includes("."));
for (const device of ["/sys/class/net/eth0", ...ports.map((port) => `${ofBridges}/${port}`)])
  console.log(Number.parseInt(readFileSync(`${device}/queues/rx-0/rps_cpus`, "utf8").replaceAll(",", ""), 16));
