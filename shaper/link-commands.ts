import {
  bucketBytes,
  burstShares,
  type Direction,
  directions,
  fullPacketsIn,
  hasTokens,
  type Link,
  lossPercentOf,
  queueOf,
  rateOf,
  tracedBucketBytes,
} from "../schema/link.ts";
import type { LinkReading } from "../schema/observation.ts";

/** The most packets in the delay line: so many that it never drops packets, because only the bottleneck's queue may drop packets. */
const delayLinePackets = 100_000;
/** A rate so high that it adds no delay. It is set because a netem with a rate never reorders packets, whatever its jitter. */
const orderingRate = "100gbit";

export interface LinkDevices {
  /** The device towards the client: its outgoing packets are "down". */
  access: string;
  /** The device towards the servers: its outgoing packets are "up". */
  core: string;
}

/**
 * Each direction is a pipe as in Dummynet (draft-white-httpbis-spdy-analysis-00, section 5.2.2): a netem has random loss and half the RTT, and
 * its child has the bottleneck's rate and queue. If one netem did both, the packets in the delay line would count towards the queue's limit.
 * @returns tc commands for a fresh link, with nothing queued and all counters at zero
 */
export function linkCommands(link: Link, devices: LinkDevices): string[][] {
  const pipe = (device: string, direction: Direction) => [
    // An intermediate pfifo, because a netem that replaces a netem keeps the queue and the counters.
    replace(device, "root", "2:", "pfifo"),
    replace(
      device,
      "root",
      "1:",
      `netem ${delayWords(link)} ${lossWords(link, direction)}${duplicateWords(link)}${corruptWords(link)} limit ${delayLinePackets}${seedWords(link, direction)}`,
    ),
    ...bottleneck(link, direction).map(([parent, handle, words]) => replace(device, `parent ${parent}`, handle, words)),
  ];
  return [...pipe(devices.access, "down"), ...pipe(devices.core, "up")];
}

const replace = (device: string, place: string, handle: string, words: string): string[] =>
  `qdisc replace dev ${device} ${place} handle ${handle} ${words}`.split(" ");

/** netem's jitter is uniformly distributed around the delay. */
function delayWords({ rttMs, jitterMs, reorders }: Link): string {
  if (jitterMs === undefined) return `delay ${rttMs / 2}ms`;
  const around = `delay ${(rttMs + jitterMs) / 2}ms ${jitterMs / 2}ms`;
  return reorders ? around : `${around} rate ${orderingRate}`;
}

function lossWords(link: Link, direction: Direction): string {
  if (link.lossBurstPackets === undefined) return `loss ${lossPercentOf(link, direction)}%`;
  const { toLost, toKept } = burstShares(link);
  return `loss gemodel ${100 * toLost}% ${100 * toKept}%`;
}

const duplicateWords = ({ duplicatePercent }: Link): string =>
  duplicatePercent === undefined ? "" : ` duplicate ${duplicatePercent}%`;

const corruptWords = ({ corruptPercent }: Link): string =>
  corruptPercent === undefined ? "" : ` corrupt ${corruptPercent}%`;

/** Each direction has its own random numbers. */
const seedWords = ({ lossSeed }: Link, direction: Direction): string =>
  lossSeed === undefined ? "" : ` seed ${2 * lossSeed + directions.indexOf(direction)}`;

/** Returns the bottleneck's disciplines: a netem, or a token bucket of one packet with the queue as its child (`hasTokens` explains when). */
function bottleneck(link: Link, direction: Direction): [parent: string, handle: string, words: string][] {
  const mbps = rateOf(link, direction);
  const { queuePackets, queueBytes } = queueOf(link, direction);
  if (!hasTokens(link, direction)) return [["1:1", "10:", `netem ${rateWords(mbps)} limit ${queuePackets}`]];
  const fifo = queueBytes === undefined ? `pfifo limit ${queuePackets}` : `bfifo limit ${queueBytes}`;
  return [
    ["1:1", "10:", bucketWords(link, direction, mbps)],
    ["10:1", "20:", link.aqm ? aqmWords(link.aqm, queuePackets, link.ecn) : fifo],
  ];
}

/** The memory of a full packet in the kernel (skb->truesize). cake's limit is in bytes of this memory, not in packets. */
const cakePacketBytes = 2304;

/** dualpi2 keeps its defaults, because tc supports its options only since iproute2 6.17. cake gets no rate, because the bucket limits it. */
function aqmWords(aqm: NonNullable<Link["aqm"]>, queuePackets: number, ecn?: true): string {
  if (aqm === "cake") return `cake unlimited memlimit ${queuePackets * cakePacketBytes}`;
  return aqm === "dualpi2" ? aqm : `${aqm} limit ${queuePackets} ${ecn ? "ecn" : "noecn"}`;
}

const rateWords = (mbps: number) => `rate ${Math.round(mbps * 1e6)}bit`;

function bucketWords(link: Link, direction: Direction, mbps: number): string {
  const { queuePackets, queueBytes } = queueOf(link, direction);
  // When a bucket's rate changes, Linux copies the bucket's limit to a pfifo or bfifo below it, and a pfifo's limit is in packets (sch_fifo.c).
  const limit = queueBytes ?? (link.trace && !link.aqm ? queuePackets : queuePackets * bucketBytes);
  return `tbf ${rateWords(mbps)} burst ${link.trace ? tracedBucketBytes(mbps) : bucketBytes} limit ${limit}`;
}

/** Changes the rate of a direction that has a token bucket, and nothing else. */
export const rateCommand = (link: Link, direction: Direction, mbps: number, devices: LinkDevices): string[] =>
  `qdisc change dev ${direction === "down" ? devices.access : devices.core} parent 1:1 handle 10: ${bucketWords(link, direction, mbps)}`.split(
    " ",
  );

/** A queueing discipline as `tc -s -json qdisc show` prints it, without fields that are 0. Rates in bytes/s, times in seconds. */
interface Discipline {
  kind: string;
  dev: string;
  handle: string;
  bytes: number;
  packets: number;
  drops: number;
  qlen: number;
  options?: {
    limit?: number;
    delay?: { delay: number; jitter?: number };
    "loss-random"?: { loss: number };
    duplicate?: { duplicate: number };
    corrupt?: { corrupt: number };
    "loss-gemodel"?: { p: number; r: number };
    /** tc prints an object for netem, and a number for a token bucket. */
    rate?: { rate: number } | number;
    /** cake's limit, bytes of memory. */
    memlimit?: number;
    ecn?: boolean;
  };
}

/** What tc prints into its JSON for a discipline that it does not support. */
const unknownOptions = /\[Unknown qdisc, optlen=\d+\] ?/g;

/**
 * Reads one direction's parameters, and the counters since the link was set up. @throws Error when the device has no link
 * @param json the output of `tc -s -json qdisc show`, where a parent's drops include its child's drops; see tc-netem(8)
 */
export function readDirection(json: string, device: string): LinkReading["down"] {
  const disciplines = JSON.parse(json.replaceAll(unknownOptions, "")) as Discipline[];
  const on = (handle: string) => disciplines.find(({ dev, handle: name }) => dev === device && name === handle);
  const [line, queue, managed] = [on("1:"), on("10:"), on("20:")];
  if (!line || !queue) throw new Error(`${device} has no qdisc ${line ? "10:" : "1:"}: ${json}`);
  return {
    did: {
      sentPackets: queue.packets,
      sentBytes: queue.bytes,
      lostPackets: line.drops - queue.drops,
      queueDroppedPackets: (managed ?? queue).drops, // a bucket would also count packets that only wake it (wake.ts)
      queuedPackets: line.qlen,
    },
    is: { ...delayOf(line), ...lossOf(line), ...damageOf(line), ...bottleneckOf(queue, managed) },
  };
}

const rateIn = ({ options }: Discipline) =>
  (typeof options?.rate === "object" ? options.rate.rate : (options?.rate ?? 0)) * 8;

function delayOf(line: Discipline): Pick<LinkReading["down"]["is"], "delayMs" | "jitterMs" | "reorders"> {
  const { delay = 0, jitter = 0 } = line.options?.delay ?? {};
  if (jitter === 0) return { delayMs: delay * 1000 };
  const ordered = rateIn(line) > 0;
  return {
    delayMs: rounded((delay - jitter) * 1000),
    jitterMs: rounded(2000 * jitter),
    ...(ordered ? {} : { reorders: true }),
  };
}

function lossOf({ options }: Discipline): Pick<LinkReading["down"]["is"], "lossPercent" | "lossBurstPackets"> {
  const bursts = options?.["loss-gemodel"];
  if (!bursts) return { lossPercent: (options?.["loss-random"]?.loss ?? 0) * 100 };
  return { lossPercent: (100 * bursts.p) / (bursts.p + bursts.r), lossBurstPackets: 1 / bursts.r };
}

function damageOf({ options }: Discipline): Pick<LinkReading["down"]["is"], "duplicatePercent" | "corruptPercent"> {
  const [duplicate, corrupt] = [options?.duplicate?.duplicate ?? 0, options?.corrupt?.corrupt ?? 0];
  return {
    ...(duplicate > 0 && { duplicatePercent: 100 * duplicate }),
    ...(corrupt > 0 && { corruptPercent: 100 * corrupt }),
  };
}

function bottleneckOf(queue: Discipline, below: Discipline | undefined) {
  const rateMbps = rateIn(queue) / 1e6;
  const limit = (below ?? queue).options?.limit ?? 0;
  if (below?.kind === "bfifo") return { rateMbps, queuePackets: fullPacketsIn(limit), queueBytes: limit };
  if (below?.kind === "cake")
    return { rateMbps, queuePackets: Math.round((below.options?.memlimit ?? 0) / cakePacketBytes), aqm: below.kind };
  return {
    rateMbps,
    queuePackets: limit,
    ...(below && below.kind !== "pfifo" ? { aqm: below.kind } : {}),
    ...(below?.options?.ecn ? { ecn: true as const } : {}),
  };
}

/** netem's resolution is one nanosecond. */
const rounded = (ms: number) => Math.round(ms * 1e6) / 1e6;
