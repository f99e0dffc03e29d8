/** What a link is, measured through the path the pages take, and whether that is what was asked for. */
import { median, min, quantile } from "simple-statistics";
import { callHost } from "../../hosts/control.ts";
import { attachments, readTopology, webHosts } from "../../hosts/topology.ts";
import type { StreamMeasurement } from "../../observe/datagrams.ts";
import type { Observer } from "../../observe/observer.ts";
import type { Channel } from "../../schema/model.ts";
import { tolerance } from "../../schema/tolerances.ts";
import { readProtocols } from "../../servers/protocols.ts";
import { serialisationMs } from "../judge/contradictions.ts";
import {
  type Direction,
  directions,
  goodputMbps,
  handshakes,
  type StreamPlan,
  settleMs,
  streams,
  type Target,
} from "./probes.ts";

/** What one direction of a link was measured to be. */
export interface DirectionMeasurement {
  /** What a small packet takes in an idle link, median, with its serialisation. */
  delayMs: number;
  /** Rate of the full link, Mb/s, with all headers: what `rate` means to netem. */
  rateMbps: number;
  /** Random loss in a link that is not full, and the packets it was counted over. */
  lossPercent: number;
  packets: number;
  /** Length of the full queue, by what a packet takes in the full link beyond the delay, median. */
  queuePackets: number;
}

export interface LinkMeasurement {
  /** Of TCP's handshake, small packets in an idle link. */
  rttMs: { median: number; p99: number };
  /** Of many TCP connections down the link, and the most the rate allows after headers. */
  goodputMbps: number;
  goodputLimitMbps: number;
  down: DirectionMeasurement;
  up: DirectionMeasurement;
}

/** One line of calibration.jsonl. */
export interface Calibration {
  channel: Channel;
  measuredAt: string;
  attempt: number;
  measured: LinkMeasurement;
  /** What is out of tolerance; empty for the link that was asked for. */
  deviations: string[];
  /** No further attempt follows. */
  final: boolean;
}

/** A busy moment of the machine is not a wrong link: that one is wrong every time. */
const maxAttempts = 3;

const fullBytes = 1472; // payload of a full packet: 1500 bytes of IP, 1514 of Ethernet, which netem counts
const smallBytes = 64;
const headerBytes = 42;
/** Light load, for loss and delay: few enough packets that a moment's stall of the machine cannot fill a queue of 50. */
const lightPacketsPerSecond = 1000;
const lightLoad = 0.4;
const lightSeconds = 3;
const overload = 1.5;
const fullSeconds = 1;
/** TCP: enough connections to fill a link that loses packets, and the seconds when it is full. */
const goodputPlan = { seconds: 3, fromSecond: 1, connections: 32 };
const mssShare = 1448 / 1514;
/** Of a full queue's slots a packet waits for all but its own, and but half of the one that is leaving. */
const ownSlots = 1.5;
const handshakesIdle = 20;
const handshakeIntervalMs = 50;

/**
 * Measure a channel until it is within tolerance, or was not `maxAttempts` times. The first server must be running.
 * @param set brings the link up fresh before each measurement: none shall inherit another's queue
 */
export async function* calibrate(
  channel: Channel,
  observer: Observer,
  set = () => callHost("shaper", "PUT", "/link", channel),
): AsyncGenerator<Calibration> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const measuredAt = new Date().toISOString();
    const measured = await measureLink(channel, observer, set);
    const problems = deviations(channel, measured);
    const final = problems.length === 0 || attempt === maxAttempts;
    yield { channel, measuredAt, attempt, measured, deviations: problems, final };
    if (final) return;
  }
}

async function measureLink(
  channel: Channel,
  observer: Observer,
  set: () => Promise<unknown>,
): Promise<LinkMeasurement> {
  const topology = readTopology();
  const { service, address } = webHosts(topology)[0]!;
  const clientAddress = attachments(topology, "harness")[0]!.address;
  const target: Target = { observer, service, address, clientAddress, port: [...readProtocols().values()][0]!.port };
  await set();
  const idle = await handshakes(target, handshakesIdle, handshakeIntervalMs, settleMs(channel));
  const light = await streams(
    target,
    channel,
    each((direction) => lightPlan(rateOf(channel, direction))),
  );
  await set();
  const full = await streams(
    target,
    channel,
    each((direction) => fullPlan(channel, direction)),
  );
  await set();
  const goodput = await goodputMbps(target, goodputPlan);
  return {
    rttMs: { median: median(orNothing(idle)), p99: quantile(orNothing(idle), 0.99) },
    goodputMbps: goodput,
    goodputLimitMbps: channel.downMbps * mssShare,
    ...each((direction) => measureDirection(light[direction], full[direction], rateOf(channel, direction))),
  };
}

const each = <T>(of: (direction: Direction) => T) => ({ down: of("down"), up: of("up") });
const rateOf = (channel: Channel, direction: Direction) => (direction === "down" ? channel.downMbps : channel.upMbps);
const packetMs = (bytes: number, mbps: number) => (bytes * 8) / (mbps * 1000);
/** Nothing arrived: a number that is within no tolerance. */
const orNothing = (values: number[]) => (values.length ? values : [NaN]);

function lightPlan(rateMbps: number): StreamPlan {
  const packetMbps = (lightPacketsPerSecond * smallBytes * 8) / 1e6;
  return {
    mbps: Math.min(packetMbps, (rateMbps * lightLoad * smallBytes) / (smallBytes + headerBytes)),
    payloadBytes: smallBytes,
    seconds: lightSeconds,
  };
}

/** Long enough that what comes too much fills the queue, and as long again. */
function fullPlan(channel: Channel, direction: Direction): StreamPlan {
  const rateMbps = rateOf(channel, direction);
  const fillMs = (channel.queuePackets * packetMs(fullBytes + headerBytes, rateMbps)) / (overload - 1);
  return { mbps: rateMbps * overload, payloadBytes: fullBytes, seconds: Math.ceil(fullSeconds + (2 * fillMs) / 1000) };
}

function measureDirection(light: StreamMeasurement, full: StreamMeasurement, rateMbps: number): DirectionMeasurement {
  const filled = <T>(all: T[]) => all.slice(Math.floor(all.length / 2)); // the bottleneck never waits from then on
  const steady = filled(full.arrived);
  const [first, last] = [steady[0], steady.at(-1)];
  const bytes = steady.slice(1).reduce((sum, datagram) => sum + datagram.bytes, 0);
  return {
    delayMs: median(orNothing(light.delaysMs)),
    rateMbps: first && last ? (bytes * 8) / 1000 / (last.timeMs - first.timeMs) : NaN,
    lossPercent: (100 * light.lostPackets) / light.packets,
    packets: light.packets,
    queuePackets:
      (median(orNothing(filled(full.delaysMs))) - min(orNothing(full.delaysMs))) /
        packetMs(fullBytes + headerBytes, rateMbps) +
      ownSlots,
  };
}

/** Each quantity that is out of tolerance: asked, measured, allowed. */
export function deviations(
  channel: Channel,
  { rttMs, goodputMbps: goodput, goodputLimitMbps, ...measured }: LinkMeasurement,
): string[] {
  const problems: string[] = [];
  const hold = (what: string, asked: number, value: number, allowed: number) => {
    if (!(Math.abs(value - asked) <= allowed))
      problems.push(`${what}: asked ${asked.toFixed(2)}, measured ${value.toFixed(2)}, allowed ±${allowed.toFixed(2)}`);
  };
  hold("RTT with serialisation, ms", channel.rttMs + serialisationMs(channel), rttMs.median, tolerance.rttMs);
  hold("down TCP goodput, Mb/s", goodputLimitMbps, goodput, (goodputLimitMbps * tolerance.goodputPercent) / 100);
  for (const direction of directions) {
    const { delayMs, rateMbps, lossPercent, packets, queuePackets } = measured[direction];
    const asked = rateOf(channel, direction);
    hold(
      `${direction} delay with serialisation, ms`,
      channel.rttMs / 2 + packetMs(smallBytes + headerBytes, asked),
      delayMs,
      tolerance.rttMs,
    );
    hold(`${direction} rate, Mb/s`, asked, rateMbps, (asked * tolerance.ratePercent) / 100);
    const p = channel.lossPercent / 100;
    hold(
      `${direction} loss, %`,
      channel.lossPercent,
      lossPercent,
      100 * tolerance.lossDeviations * Math.sqrt((p * (1 - p)) / packets),
    );
    hold(`${direction} queue, packets`, channel.queuePackets, queuePackets, tolerance.queuePackets);
  }
  return problems;
}
