import type { Link } from "../schema/link.ts";
import type { LinkReading } from "../schema/observation.ts";

/** Long enough that the delay line never drops: only the queue before the bottleneck may. */
const delayLinePackets = 100_000;

export interface LinkDevices {
  /** The device towards the client: what leaves by it comes down. */
  access: string;
  /** The device towards the servers: what leaves by it goes up. */
  core: string;
}

/**
 * The emulated pipe, each direction (Dummynet's, as in draft-white-httpbis-spdy-analysis-00 section 5.2.2): random loss
 * on entry and half the RTT in one netem, and under it the bottleneck with its drop-tail queue in another, because the
 * limit of a netem that also delays counts the packets still in the delay line.
 * @returns commands for tc that leave a fresh link, nothing queued and all counters at zero
 */
export function linkCommands(link: Link, devices: LinkDevices): string[][] {
  const { rttMs, lossPercent, queuePackets, downMbps, upMbps } = link;
  const pipe = (device: string, rateMbps: number) => [
    // Replaced by another kind and back: a netem that is only changed would keep its queue and its counters.
    ["qdisc", "replace", "dev", device, "root", "handle", "2:", "pfifo"],
    [
      "qdisc",
      "replace",
      "dev",
      device,
      "root",
      "handle",
      "1:",
      "netem",
      "delay",
      `${rttMs / 2}ms`,
      "loss",
      `${lossPercent}%`,
      "limit",
      String(delayLinePackets),
    ],
    [
      "qdisc",
      "replace",
      "dev",
      device,
      "parent",
      "1:1",
      "handle",
      "10:",
      "netem",
      "rate",
      `${Math.round(rateMbps * 1e6)}bit`,
      "limit",
      String(queuePackets),
    ],
  ];
  return [...pipe(devices.access, downMbps), ...pipe(devices.core, upMbps)];
}

/** A netem as `tc -s -json qdisc show` prints it; what is 0 is left out. Rates in bytes, times in seconds, shares of 1. */
interface Netem {
  dev: string;
  handle: string;
  bytes: number;
  packets: number;
  drops: number;
  qlen: number;
  options?: {
    limit?: number;
    delay?: { delay: number };
    "loss-random"?: { loss: number };
    rate?: { rate: number };
  };
}

/**
 * What one direction has done since the link was made, and what it is.
 * @param json what `tc -s -json qdisc show` prints. Drops under a classful netem are counted in both; see tc-netem(8)
 * @throws Error when the device has no link
 */
export function readDirection(json: string, device: string): LinkReading["down"] {
  const qdiscs = JSON.parse(json) as Netem[];
  const find = (handle: string) => {
    const found = qdiscs.find(({ dev, handle: name }) => dev === device && name === handle);
    if (!found) throw new Error(`${device} has no qdisc ${handle}: ${json}`);
    return found;
  };
  const [line, queue] = [find("1:"), find("10:")];
  return {
    did: {
      sentPackets: queue.packets,
      sentBytes: queue.bytes,
      lostPackets: line.drops - queue.drops,
      queueDroppedPackets: queue.drops,
      queuedPackets: line.qlen,
    },
    is: {
      rateMbps: ((queue.options?.rate?.rate ?? 0) * 8) / 1e6,
      delayMs: (line.options?.delay?.delay ?? 0) * 1000,
      lossPercent: (line.options?.["loss-random"]?.loss ?? 0) * 100,
      queuePackets: queue.options?.limit ?? 0,
    },
  };
}
