import { bucketBytes, burstShares, type Direction, type Link, lossPercentOf, rateOf } from "../schema/link.ts";
import type { LinkReading } from "../schema/observation.ts";

/** Long enough that the delay line never drops: only the queue before the bottleneck may. */
const delayLinePackets = 100_000;
/** A netem that has a rate keeps packets in their order, whatever their delays; this one takes a nanosecond for a byte's tenth. */
const orderingRate = "100gbit";

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
  const pipe = (device: string, direction: Direction) => [
    // Replaced by another kind and back: a netem that is only changed would keep its queue and its counters.
    replace(device, "root", "2:", "pfifo"),
    replace(device, "root", "1:", `netem ${delayWords(link)} ${lossWords(link, direction)} limit ${delayLinePackets}`),
    ...bottleneck(link, direction).map(([parent, handle, words]) => replace(device, `parent ${parent}`, handle, words)),
  ];
  return [...pipe(devices.access, "down"), ...pipe(devices.core, "up")];
}

const replace = (device: string, place: string, handle: string, words: string): string[] =>
  `qdisc replace dev ${device} ${place} handle ${handle} ${words}`.split(" ");

/** netem draws jitter evenly around its delay, and sorts packets by when they are to leave, unless it has a rate. */
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

/** netem's own rate hides its queue from any other discipline: an AQM stands below a token bucket of one packet. */
function bottleneck(link: Link, direction: Direction): [parent: string, handle: string, words: string][] {
  const rate = `rate ${Math.round(rateOf(link, direction) * 1e6)}bit`;
  if (!link.aqm) return [["1:1", "10:", `netem ${rate} limit ${link.queuePackets}`]];
  return [
    ["1:1", "10:", `tbf ${rate} burst ${bucketBytes} limit ${link.queuePackets * bucketBytes}`],
    ["10:1", "20:", `${link.aqm} limit ${link.queuePackets} noecn`],
  ];
}

/** A discipline as `tc -s -json qdisc show` prints it; what is 0 is left out. Rates in bytes, times in seconds, shares of 1. */
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
    "loss-gemodel"?: { p: number; r: number };
    /** netem's; a token bucket's is the number alone. */
    rate?: { rate: number } | number;
  };
}

/**
 * What one direction has done since the link was made, and what it is.
 * @param json what `tc -s -json qdisc show` prints. Drops under a classful discipline are counted in both; see tc-netem(8)
 * @throws Error when the device has no link
 */
export function readDirection(json: string, device: string): LinkReading["down"] {
  const disciplines = JSON.parse(json) as Discipline[];
  const on = (handle: string) => disciplines.find(({ dev, handle: name }) => dev === device && name === handle);
  const [line, queue, managed] = [on("1:"), on("10:"), on("20:")];
  if (!line || !queue) throw new Error(`${device} has no qdisc ${line ? "10:" : "1:"}: ${json}`);
  return {
    did: {
      sentPackets: queue.packets,
      sentBytes: queue.bytes,
      lostPackets: line.drops - queue.drops,
      queueDroppedPackets: queue.drops,
      queuedPackets: line.qlen,
    },
    is: { ...delayOf(line), ...lossOf(line), ...bottleneckOf(queue, managed) },
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

const bottleneckOf = (queue: Discipline, managed: Discipline | undefined) => ({
  rateMbps: rateIn(queue) / 1e6,
  queuePackets: (managed ?? queue).options?.limit ?? 0,
  ...(managed ? { aqm: managed.kind } : {}),
});

/** To nanoseconds, which is what netem keeps. */
const rounded = (ms: number) => Math.round(ms * 1e6) / 1e6;
