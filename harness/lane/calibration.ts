/** What a link is, measured through the path the pages take, and whether that is what was asked for. */
import { median, min, quantile } from "simple-statistics";
import { outlastsSynTimer } from "../../axes/link-values.ts";
import { ask } from "../../hosts/control.ts";
import { shaperRoutes } from "../../hosts/routes.ts";
import { attachments, readTopology, webHosts } from "../../hosts/topology.ts";
import type { StreamMeasurement } from "../../observe/iperf-stream.ts";
import type { Observer } from "../../observe/observer.ts";
import {
  type Direction,
  fullFrameBytes,
  type Link,
  linkName,
  lossPercentOf,
  packetMs,
  rateOf,
} from "../../schema/link.ts";
import type { Datagram } from "../../schema/observation.ts";
import {
  fillingConnections,
  goodputLimit,
  handshakesIdle,
  lightPlan,
  maxCalibrations,
  probeBytes,
} from "../../schema/procedure.ts";
import type { Calibration, DirectionMeasurement, LinkMeasurement } from "../../schema/records.ts";
import { tolerance } from "../../schema/tolerances.ts";
import { readProtocols } from "../../servers/protocols.ts";
import { deviations } from "../judge/deviations.ts";
import { goodputMbps, handshakes, type StreamPlan, settleMs, streams, type Target } from "./probes.ts";

const overload = 1.5;
const fullSeconds = 1;
/** By then slow start has filled the link. */
const fillingRoundTrips = 8;
/** TCP: enough connections to fill a link that loses packets, and the seconds when it is full: so many that a packet more or less is 1%. */
function goodputPlan({ downMbps, rttMs }: Link) {
  const fromSecond = Math.max(1, Math.ceil((fillingRoundTrips * rttMs) / 1000));
  const fullSeconds = Math.max(2, Math.ceil((100 * packetMs(fullFrameBytes, downMbps)) / 1000));
  return { seconds: fromSecond + fullSeconds, fromSecond, connections: fillingConnections };
}
/** Of a full queue's slots a packet waits for all but its own, and but half of the one that is leaving. */
const ownSlots = 1.5;
const handshakeIntervalMs = 50;
/** SYN, SYN/ACK and ACK, with TCP's options. */
const handshakePacketBytes = 74;

/** How far apart handshakes begin: where a packet holds up another for longer than can be let pass, one after the other. */
function handshakesApartMs({ rttMs, jitterMs = 0, downMbps, upMbps }: Link): number {
  const eachMs = packetMs(handshakePacketBytes, Math.min(downMbps, upMbps));
  return eachMs < tolerance.rttMs / 2 ? handshakeIntervalMs : Math.ceil(rttMs + 2 * jitterMs + 3 * eachMs);
}

/**
 * Measure a link until it is within tolerance, or was not `maxCalibrations` times. The first server must be running.
 * @param protocol one that the first server speaks: handshakes go to its port
 * @param set brings the link up fresh before each measurement: none shall inherit another's queue
 */
export async function* calibrate(
  link: Link,
  observer: Observer,
  protocol = "h1",
  set: () => Promise<unknown> = () => ask("shaper", shaperRoutes.setLink, link),
): AsyncGenerator<Omit<Calibration, "calibration">> {
  for (let attempt = 1; attempt <= maxCalibrations; attempt++) {
    const measuredAt = new Date().toISOString();
    const measured = await measureLink(link, observer, protocol, set);
    const problems = deviations(link, measured);
    const final = problems.length === 0 || attempt === maxCalibrations;
    yield { link: linkName(link), configured: link, measuredAt, attempt, measured, deviations: problems, final };
    if (final) return;
  }
}

async function measureLink(
  link: Link,
  observer: Observer,
  protocol: string,
  set: () => Promise<unknown>,
): Promise<LinkMeasurement> {
  const topology = readTopology();
  const { service, address } = webHosts(topology)[0]!;
  const clientAddress = attachments(topology, "harness")[0]!.address;
  const target: Target = { observer, service, address, clientAddress, port: readProtocols()[protocol]!.port };
  await set();
  const idle = await handshakes(
    target,
    handshakesIdle,
    handshakesApartMs(link),
    settleMs(link),
    outlastsSynTimer(link),
  );
  const light = await streams(
    target,
    link,
    each((direction) => ({ ...lightPlan(link, direction), payloadBytes: probeBytes.small })),
  );
  await set();
  const full = await streams(target, link, fullPlans(link));
  await set();
  const goodput = await goodputMbps(target, goodputPlan(link));
  return {
    rttMs: { median: median(orNothing(idle)), p99: quantile(orNothing(idle), 0.99) },
    goodputMbps: goodput,
    goodputLimitMbps: goodputLimit(link),
    ...each((direction) => measureDirection(light[direction], full[direction], link, rateOf(link, direction))),
  };
}

const each = <T>(of: (direction: Direction) => T) => ({ down: of("down"), up: of("up") });
/** Nothing arrived: a number that is within no tolerance. */
const orNothing = (values: number[]) => (values.length ? values : [NaN]);

/**
 * Long enough that what comes too much fills the queue, and as long again; both directions as long as the slower takes, for what
 * iperf3 says when one has ended would lie in the other's queue.
 */
function fullPlans(link: Link): Record<Direction, StreamPlan> {
  const fillMs = (direction: Direction) =>
    (link.queuePackets * packetMs(probeBytes.full + probeBytes.headers, rateOf(link, direction))) / (overload - 1);
  const seconds = Math.ceil(fullSeconds + (2 * Math.max(fillMs("down"), fillMs("up"))) / 1000);
  return each((direction) => ({
    // What random loss leaves of it is the overload: losses come before the queue.
    mbps: (rateOf(link, direction) * overload) / (1 - lossPercentOf(link, direction) / 100),
    payloadBytes: probeBytes.full,
    seconds,
  }));
}

function measureDirection(
  light: StreamMeasurement,
  full: StreamMeasurement,
  { jitterMs, lossBurstPackets, aqm }: Link,
  rateMbps: number,
): DirectionMeasurement {
  const filled = <T>(all: T[]) => all.slice(Math.floor(all.length / 2));
  return {
    delayMs: median(orNothing(light.delaysMs)),
    rateMbps: (aqm ? rateBySpacing : rateOverTime)(filled(full.arrived)),
    lossPercent: (100 * light.lostPackets) / light.packets,
    packets: light.packets,
    queuePackets:
      (median(orNothing(filled(full.delaysMs))) - min(orNothing(full.delaysMs))) /
        packetMs(probeBytes.full + probeBytes.headers, rateMbps) +
      ownSlots,
    ...(jitterMs === undefined ? {} : { jitterMs: evenRange(light.delaysMs) }),
    ...(lossBurstPackets === undefined ? {} : { lossBurstPackets: light.lostPackets / light.lossRuns }),
  };
}

/** Mb/s of packets that came one after the other: of a bottleneck that never waits, because its queue is full. */
function rateOverTime(arrived: Datagram[]): number {
  const [first, last] = [arrived[0], arrived.at(-1)];
  const bytes = arrived.slice(1).reduce((sum, datagram) => sum + datagram.bytes, 0);
  return first && last ? (bytes * 8) / 1000 / (last.timeMs - first.timeMs) : NaN;
}

/** Mb/s by the median packet's distance to the one before it: an AQM that drops as much as comes too much lets its queue run empty at times. */
const rateBySpacing = (arrived: Datagram[]): number =>
  median(orNothing(arrived.slice(1).map(({ bytes, timeMs }, i) => (bytes * 8) / 1000 / (timeMs - arrived[i]!.timeMs))));

/** The range of what is drawn evenly: its middle half is half of it, whatever a few that came late took. */
const evenRange = (values: number[]) => 2 * (quantile(orNothing(values), 0.75) - quantile(orNothing(values), 0.25));
