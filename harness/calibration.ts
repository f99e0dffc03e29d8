/** What a link is, measured through the path the pages take, and whether that is what was asked for. */
import { setTimeout as sleep } from "node:timers/promises";
import { max, mean, median, quantile } from "simple-statistics";
import { readProtocols } from "../servers/protocols.ts";
import { callHost } from "./control.ts";
import type { Channel } from "./model.ts";
import { handshakes, udp, type Direction, type UdpResult } from "./probes.ts";
import { readTopology, webHosts } from "./topology.ts";

/** What one direction of a link was measured to be, by what arrived at its far end. */
export interface DirectionMeasurement {
  /** Rate of the full link, Mb/s, with Ethernet, IP and UDP headers: what `rate` means to netem. */
  rateMbps: number;
  /** Random loss in a link that is not full, and the packets it was counted over. */
  lossPercent: number;
  packets: number;
  /** Length of the full queue: the most it added to an RTT, over the time one packet takes. */
  queuePackets: number;
}

export interface LinkMeasurement {
  /** Of TCP's handshake, small packets in an idle link. */
  rttMs: { median: number; p99: number };
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

/** How far a measured link may be from the one that was asked for. */
const tolerance = { rttMs: 1.5, ratePercent: 2, queuePackets: 4, lossDeviations: 3.3 /* 99.9% of honest links */ };
/** A busy moment of the machine is not a wrong link: that one is wrong every time. */
const maxAttempts = 3;

const payloadBytes = 1472; // a full packet: 1500 bytes of IP, 1514 of Ethernet, which netem counts
const headerBytes = 42;
const handshakeBytes = 74; // SYN and SYN/ACK
const smallBytes = 200;
/** Light load, for loss: few enough packets that a moment's stall of the machine cannot fill a queue of 50. */
const lightPacketsPerSecond = 1000;
const lightLoad = 0.4;
const lightSeconds = 4;
const overload = 1.5;
/** Full load: the rate is read from its second second on until the handshakes begin, which read the queue. */
const fullSeconds = 4;
const handshakesFromSecond = 2;
const handshakesIdle = 20;
const handshakesFull = 7;

/** Measure a channel until it is within tolerance, or was not `maxAttempts` times. The first server must be running. */
export async function* calibrate(channel: Channel, set = () => callHost("shaper", "PUT", "/link", channel)): AsyncGenerator<Calibration> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const measuredAt = new Date().toISOString();
    const measured = await measureLink(channel, set);
    const problems = deviations(channel, measured);
    const final = problems.length === 0 || attempt === maxAttempts;
    yield { channel, measuredAt, attempt, measured, deviations: problems, final };
    if (final) return;
  }
}

/** @param set brings the link up fresh before each measurement: none shall inherit another's queue */
async function measureLink(channel: Channel, set: () => Promise<unknown>): Promise<LinkMeasurement> {
  const { service, address } = webHosts(readTopology())[0]!;
  const target = { service, address, port: [...readProtocols().values()][0]!.port };
  await set();
  const idle = await handshakes(target, handshakesIdle, 50);
  const rttMs = { median: median(idle), p99: quantile(idle, 0.99) };
  const light = async (name: Direction) => udp(target, name, Math.min(rateOf(channel, name) * lightLoad, packetsMbps(lightPacketsPerSecond, smallBytes)), smallBytes, lightSeconds);
  const [lightDown, lightUp] = await Promise.all([light("down"), light("up")]);
  const direction = async (name: Direction, { packets, lostPackets }: UdpResult): Promise<DirectionMeasurement> => {
    await set();
    const full = udp(target, name, rateOf(channel, name) * overload, payloadBytes, fullSeconds);
    const loaded = sleep(handshakesFromSecond * 1000).then(() => handshakes(target, handshakesFull, 200));
    const { mbpsEachSecond } = await full;
    return {
      rateMbps: (mean(mbpsEachSecond.slice(1, handshakesFromSecond)) * (payloadBytes + headerBytes)) / payloadBytes,
      lossPercent: (100 * lostPackets) / packets,
      packets,
      queuePackets: (max(await loaded) - rttMs.median) / packetMs(payloadBytes + headerBytes, rateOf(channel, name)),
    };
  };
  return { rttMs, down: await direction("down", lightDown), up: await direction("up", lightUp) };
}

const rateOf = (channel: Channel, direction: Direction) => (direction === "down" ? channel.downMbps : channel.upMbps);
const packetsMbps = (perSecond: number, bytes: number) => (perSecond * bytes * 8) / 1e6;
const packetMs = (bytes: number, mbps: number) => (bytes * 8) / (mbps * 1000);

/** Each quantity that is out of tolerance: asked, measured, allowed. */
export function deviations(channel: Channel, { rttMs, down, up }: LinkMeasurement): string[] {
  const problems: string[] = [];
  const hold = (what: string, asked: number, measured: number, allowed: number) => {
    if (!(Math.abs(measured - asked) <= allowed))
      problems.push(`${what}: asked ${asked.toFixed(2)}, measured ${measured.toFixed(2)}, allowed ±${allowed.toFixed(2)}`);
  };
  const serialisationMs = packetMs(handshakeBytes, channel.downMbps) + packetMs(handshakeBytes, channel.upMbps);
  hold("RTT with serialisation, ms", channel.rttMs + serialisationMs, rttMs.median, tolerance.rttMs);
  for (const [name, measured, asked] of [["down", down, channel.downMbps], ["up", up, channel.upMbps]] as const) {
    hold(`${name} rate, Mb/s`, asked, measured.rateMbps, (asked * tolerance.ratePercent) / 100);
    const p = channel.lossPercent / 100;
    hold(`${name} loss, %`, channel.lossPercent, measured.lossPercent, 100 * tolerance.lossDeviations * Math.sqrt((p * (1 - p)) / measured.packets));
    hold(`${name} queue, packets`, channel.queuePackets, measured.queuePackets, tolerance.queuePackets);
  }
  return problems;
}
