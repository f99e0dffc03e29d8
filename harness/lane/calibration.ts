/** Measures a link through the path that pages take, and checks whether it is as configured. */
import { mayOutlastSynTimer } from "../../axes/link-values.ts";
import { ask } from "../../hosts/control.ts";
import type { DatagramPlan } from "../../hosts/datagram-stream.ts";
import { environment } from "../../hosts/environment.ts";
import { shaperRoutes } from "../../hosts/routes.ts";
import { attachments, readTopology, webHosts } from "../../hosts/topology.ts";
import type { Observer } from "../../observe/observer.ts";
import {
  type Direction,
  fullFrameBytes,
  highestRateOf,
  type Link,
  linkName,
  lossPercentOf,
  packetMs,
  queueOf,
  rateOf,
} from "../../schema/link.ts";
import type { LinkSamples } from "../../schema/link-samples.ts";
import type { LinkReading } from "../../schema/observation.ts";
import {
  fillingConnections,
  handshakesIdle,
  lightPlan,
  maxCalibrations,
  playedSeconds,
  probeBytes,
} from "../../schema/procedure.ts";
import { periodMs, type RateTrace } from "../../schema/rate-trace.ts";
import type { Calibration } from "../../schema/records.ts";
import { tolerance } from "../../schema/tolerances.ts";
import { readProtocols } from "../../servers/protocols.ts";
import { estimates } from "../judge/link/estimates.ts";
import { deviations } from "../judge/load/deviations.ts";
import { settleMs } from "./iperf.ts";
import { allDelivered, goodput, handshakes, streams, type Target } from "./probes.ts";
import { bytesInSeconds, directionSamples, histogramOfMs } from "./sampling.ts";

/** The full stream has `overload` times the link's rate. It lasts `fullSeconds`, plus `fillTimes` times the time in which it fills the queue. */
const overload = 1.5;
/** Streams exceed the highest rate of a trace by this factor, so that the queue never empties. */
const playedOverload = 1.05;
const fillTimes = 3;
const fullSeconds = 1;
/** The number of round trips after which slow start has filled the link. */
const fillingRoundTrips = 8;

/** TCP connections first fill the link together. Then at least 100 packets are measured, so that one packet is at most 1% of the result. */
function goodputPlan({ downMbps, rttMs }: Link) {
  const fromSecond = Math.max(1, Math.ceil((fillingRoundTrips * rttMs) / 1000));
  const fullSeconds = Math.max(2, Math.ceil((100 * packetMs(fullFrameBytes, downMbps)) / 1000));
  return { seconds: fromSecond + fullSeconds, fromSecond, connections: fillingConnections };
}
const handshakeIntervalMs = 50;

type SetLink = (link: Link) => Promise<Pick<LinkReading, "startedMs">>;
/** The size of a SYN's frame with TCP options. The frames of SYN/ACK and ACK are not larger. */
const handshakePacketBytes = 74;

/** Time between the starts of handshakes. On a slow link each waits for the previous one, so that their packets do not delay each other. */
function handshakesApartMs({ rttMs, jitterMs = 0, downMbps, upMbps }: Link): number {
  const eachMs = packetMs(handshakePacketBytes, Math.min(downMbps, upMbps));
  return eachMs < tolerance.rttMs / 2 ? handshakeIntervalMs : Math.ceil(rttMs + 2 * jitterMs + 3 * eachMs);
}

/**
 * Measures a link until it is within tolerance, at most `maxCalibrations` times. The first server must be running.
 * @param protocol a protocol of the first server; handshakes go to its port @param set sets up the link, with an empty queue
 */
export async function* calibrate(
  link: Link,
  observer: Observer,
  protocol = "h1",
  set: SetLink = (asked) => ask("shaper", shaperRoutes.setLink, asked),
): AsyncGenerator<Omit<Calibration, "calibration">> {
  for (let attempt = 1; attempt <= maxCalibrations; attempt++) {
    const measuredAt = new Date().toISOString();
    const samples = await sampleLink(withoutDamage(link), observer, protocol, set);
    const measured = estimates(samples, link);
    const problems = deviations(link, measured, environment.virtualClock ? "virtual" : "real");
    const final = problems.length === 0 || attempt === maxCalibrations;
    yield {
      link: linkName(link),
      configured: link,
      measuredAt,
      attempt,
      samples,
      measured,
      deviations: problems,
      final,
    };
    if (final) return;
  }
}

/** Links are measured without damage: a packet that its receiver discards would look like a lost one. Loads show how many packets are damaged. */
const withoutDamage = ({ corruptPercent: _, ...link }: Link): Link => link;

async function sampleLink(link: Link, observer: Observer, protocol: string, set: SetLink): Promise<LinkSamples> {
  const topology = readTopology();
  const { service, address } = webHosts(topology)[0]!;
  const clientAddress = attachments(topology, "harness")[0]!.address;
  const target: Target = { observer, service, address, clientAddress, port: readProtocols()[protocol]!.port };
  await allDelivered(target);
  await set(link);
  const idle = await handshakes(
    target,
    handshakesIdle,
    handshakesApartMs(link),
    settleMs(link),
    mayOutlastSynTimer(link),
  );
  const light = await streams(
    target,
    link,
    each((direction) => datagramPlan(lightPlan(link, direction), probeBytes.small, lightAtOnce)),
  );
  await set(link);
  const full = await streams(target, link, fullPlans(link));
  await set(link);
  const goodputBytes = await goodput(target, link, goodputPlan(link));
  await allDelivered(target);
  const played = link.trace && (await playedSamples(target, link, link.trace, set));
  return {
    handshakesUs: histogramOfMs(idle),
    goodputBytes,
    ...each((direction) => directionSamples(light[direction], full[direction])),
    ...(played && { played }),
  };
}

/** Counts the bytes that arrive in each second. The trace plays from its beginning, and streams in both directions exceed its highest rates. */
async function playedSamples(
  target: Target,
  link: Link,
  trace: RateTrace,
  set: SetLink,
): Promise<NonNullable<LinkSamples["played"]>> {
  const { from, most } = playedSeconds;
  const seconds = Math.min(most, Math.ceil(Math.max(periodMs(trace.down), periodMs(trace.up)) / 1000));
  const { startedMs = Number.NaN } = await set({ ...link, traceOffsetMs: 0 });
  const plans = each((direction) => {
    const mbps = (highestRateOf(link, direction) * playedOverload) / (1 - lossPercentOf(link, direction) / 100);
    return datagramPlan({ mbps, seconds: from + seconds }, probeBytes.full, fullAtOnce);
  });
  const arrived = await streams(target, link, plans);
  const inSeconds = (direction: Direction) =>
    bytesInSeconds(arrived[direction].arrived, startedMs, { fromSecond: from, seconds });
  return { fromSecond: from, ...each(inSeconds) };
}

/** How many packets are enough to fill a queue. dualpi2 keeps its queue short, and filling its limit of 10,000 packets would take minutes. */
const mostToFill = ({ aqm }: Link): number => (aqm === "dualpi2" ? 200 : Number.POSITIVE_INFINITY);

const each = <T>(of: (direction: Direction) => T) => ({ down: of("down"), up: of("up") });

/** Full streams last until at least half of the packets that arrive met a full queue, in both directions, even if random loss delays its filling. */
function fullPlans(link: Link): Record<Direction, DatagramPlan> {
  const fillMs = (direction: Direction) =>
    (Math.min(queueOf(link, direction).queuePackets, mostToFill(link)) *
      packetMs(probeBytes.full + probeBytes.headers, rateOf(link, direction))) /
    (overload - 1);
  const seconds = Math.ceil(fullSeconds + (fillTimes * Math.max(fillMs("down"), fillMs("up"))) / 1000);
  return each((direction) => {
    // Random loss happens before the queue, so more is sent, and the queue still gets the whole overload.
    const mbps = (rateOf(link, direction) * overload) / (1 - lossPercentOf(link, direction) / 100);
    return datagramPlan({ mbps, seconds }, probeBytes.full, fullAtOnce);
  });
}

/** How many packets a late sender may send at once: only two into an idle link, whose queue may be short, but all into an overloaded link. */
const [lightAtOnce, fullAtOnce] = [2, 1_000_000];

function datagramPlan(
  { mbps, seconds }: { mbps: number; seconds: number },
  payloadBytes: number,
  atOnce: number,
): DatagramPlan {
  const perSecond = (mbps * 1e6) / (8 * payloadBytes);
  return { packets: Math.round(perSecond * seconds), perSecond, payloadBytes, atOnce };
}
