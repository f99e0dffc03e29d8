import { resolve } from "node:path";
import { run } from "../hosts/command.ts";
import { environment } from "../hosts/environment.ts";
import { deviceOf, type Host, here, prepareHost } from "../hosts/prepare.ts";
import { attachments, type Topology } from "../hosts/topology.ts";
import { packetSocket } from "./packet-socket.ts";
import { Shell } from "./shell.ts";
import { openTc, type Tc } from "./tc.ts";
import { userModeKernel } from "./user-mode-kernel.ts";
import { guestTc, wakerOf } from "./wake.ts";

/** The kernel that runs netem: the machine's kernel or, if it has no netem, a user-mode kernel that takes over the host's devices. */
export type BackendName = "kernel" | "uml";

export interface Backend {
  name: BackendName;
  /** `uname -r` of the kernel that shapes. */
  kernel: string;
  tc: Tc;
  /** The name of the device on each network. */
  devices: Map<string, string>;
  /** Device -> the function that wakes its token bucket (wake.ts). */
  wakers: ReadonlyMap<string, () => void | Promise<void>>;
}

export async function kernelHasNetem(host: Host, device = "lo"): Promise<boolean> {
  try {
    await host.run(["tc", "qdisc", "add", "dev", device, "root", "netem", "delay", "1ms"]);
    await host.run(["tc", "qdisc", "del", "dev", device, "root"]);
    return true;
  } catch {
    return false;
  }
}

/** Makes this network namespace the router. @param onDeath called when the shell or user-mode kernel ends: the link fails or cannot be changed */
export async function startBackend(topology: Topology, onDeath: (message: string) => void): Promise<Backend> {
  const devices = new Map<string, string>();
  for (const { network, address } of attachments(topology, "shaper"))
    devices.set(network, await deviceOf(here, address));
  const native = await kernelHasNetem(here);
  if (!native) await handOver(topology, devices);
  const shell = native ? openShell(onDeath) : await bootGuest([...devices.values()], onDeath);
  const inside = native ? devices : new Map([...devices.keys()].map((network, i) => [network, `vec${i}`]));
  await prepareHost(shell, topology, "shaper", native ? undefined : inside);
  if (!native && !(await kernelHasNetem(shell, "vec0")))
    throw new Error("neither this machine's kernel nor the user-mode kernel has netem");
  const kernel = (await shell.run(["uname", "-r"])).trim();
  const tc = openTc(shell, native ? undefined : guestTc);
  const wakes = (device: string) => (native ? wakerOf(device) : () => tc.wake(device));
  const wakers = new Map([...inside.values()].map((device) => [device, wakes(device)]));
  return { name: native ? "kernel" : "uml", kernel, tc, devices: inside, wakers };
}

const openShell = (onDeath: (message: string) => void) => new Shell(["sh", "-s"], process.env, null, onDeath);

/**
 * Prepares the devices for the user-mode kernel, which reads and writes their frames through packet sockets (`fd` vector transport). The machine's
 * kernel keeps no IP address on the devices, so that only the user-mode kernel responds to packets.
 */
async function handOver(topology: Topology, devices: Map<string, string>): Promise<void> {
  for (const { network, mac } of attachments(topology, "shaper")) {
    const device = devices.get(network) as string;
    await run(["ethtool", "-K", device, "tso", "off", "gso", "off", "gro", "off", "tx", "off"]);
    await run(["ip", "link", "set", device, "address", mac]);
    await run(["ip", "address", "flush", "dev", device]);
  }
}

/** Returns a command prefix for real-time priority (SCHED_FIFO in sched(7)), so that no program delays the link; empty if not permitted. */
async function realTimePriority(): Promise<string[]> {
  const prefix = ["chrt", "--fifo", "1"];
  return run([...prefix, "true"]).then(
    () => prefix,
    () => [],
  );
}

/** Starts the user-mode kernel without vectors (vec=0), because with vectors the second half of full packets arrived as zeros (kernel 6.1). */
async function bootGuest(devices: string[], onDeath: (message: string) => void): Promise<Shell> {
  const sockets = devices.map(packetSocket);
  const vectors = devices.map((_, i) => `vec${i}:transport=fd,fd=${i + 3},vec=0,depth=1,gro=0`); // 0 to 2 are the console and the log
  const command = [
    ...(await realTimePriority()),
    ...userModeKernel(),
    ..."mem=64M root=none rootfstype=hostfs hostfs=/ ro quiet con=null con0=fd:0,fd:1 con1=null".split(" "),
    "initcall_blacklist=raid6_select_algo", // skips a benchmark that takes most of a second
    `init=${resolve("shaper/shaping-guest.sh")}`,
    ...vectors,
  ];
  const temporary = environment.temporary; // for the kernel's memory file and its ~/.uml folder
  return new Shell(command, { ...process.env, TMPDIR: temporary, HOME: temporary }, "@@ready", onDeath, sockets);
}
