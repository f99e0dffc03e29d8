import { mean } from "simple-statistics";
import { run } from "./command.ts";
import { callHost } from "./control.ts";
import type { Channel } from "./model.ts";
import { readTopology, webHosts } from "./topology.ts";

/** What one direction of a link was measured to be, by what arrived at its far end. */
export interface DirectionMeasurement {
  /** Rate of the full link, Mb/s, with Ethernet, IP and UDP headers: what `rate` means to netem. */
  rateMbps: number;
  /** Random loss in an idle link. */
  lossPercent: number;
  packets: number;
  lostPackets: number;
  /** Length of the full queue: what it adds to the RTT, over the time one packet takes. */
  queuePackets: number;
}

export interface LinkMeasurement {
  /** Of small packets in an idle link. */
  rttMs: number;
  down: DirectionMeasurement;
  up: DirectionMeasurement;
}

const payloadBytes = 1472; // a full packet: 1500 bytes of IP, 1514 of Ethernet, as netem counts
const headerBytes = 42;
const smallBytes = 200;
const overload = 1.5;
/** Full load: from second 1 to `pingFromSecond` the rate is read, then pings (which take some of it) read the queue. */
const secondsEach = 5;
const pingFromSecond = 3;
const pings = 20;

type Direction = "down" | "up";

/** How far a measured link may be from the one that was asked for. */
const tolerance = { rttMs: 1, ratePercent: 2, queuePackets: 3, lossDeviations: 3.3 /* 99.9% of honest links */ };

interface UdpResult {
  /** Of payload, as it arrived, after the first second and before the pings. */
  mbps: number;
  packets: number;
  lostPackets: number;
}

/**
 * Measure a link through the path the pages take, from the harness's host to the first server.
 * @param set brings the link up fresh before each measurement: none shall inherit another's queue
 */
export async function measureLink(channel: Channel, set: () => Promise<unknown>): Promise<LinkMeasurement> {
  const { service, address } = webHosts(readTopology())[0]!;
  await set();
  const idle = await ping(address, 56);
  const idleFull = await ping(address, payloadBytes);
  const direction = async (name: Direction): Promise<DirectionMeasurement> => {
    const rateMbps = name === "down" ? channel.downMbps : channel.upMbps;
    const udp = (mbps: number, bytes: number) => iperf(service, address, name, mbps, bytes);
    await set();
    const light = await udp(rateMbps * 0.4, smallBytes);
    await set();
    const [full, loaded] = await Promise.all([udp(rateMbps * overload, payloadBytes), afterSeconds(pingFromSecond, () => ping(address, payloadBytes))]);
    const packetMs = ((payloadBytes + headerBytes) * 8) / (rateMbps * 1000);
    return {
      rateMbps: (full.mbps * (payloadBytes + headerBytes)) / payloadBytes,
      lossPercent: (100 * light.lostPackets) / light.packets,
      packets: light.packets,
      lostPackets: light.lostPackets,
      queuePackets: (loaded - idleFull) / packetMs,
    };
  };
  return { rttMs: idle, down: await direction("down"), up: await direction("up") };
}

async function afterSeconds<T>(seconds: number, action: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return action();
}

/** Each quantity that is out of tolerance: asked, measured, allowed. An empty list for the link that was asked for. */
export function deviations(channel: Channel, { rttMs, down, up }: LinkMeasurement): string[] {
  const problems: string[] = [];
  const hold = (what: string, asked: number, measured: number, allowed: number) => {
    if (!(Math.abs(measured - asked) <= allowed))
      problems.push(`${what}: asked ${asked.toFixed(2)}, measured ${measured.toFixed(2)}, allowed ±${allowed.toFixed(2)}`);
  };
  const smallPacketMs = (mbps: number) => (98 * 8) / (mbps * 1000);
  hold("RTT with serialisation, ms", channel.rttMs + smallPacketMs(channel.downMbps) + smallPacketMs(channel.upMbps), rttMs, tolerance.rttMs);
  for (const [name, measured, asked] of [["down", down, channel.downMbps], ["up", up, channel.upMbps]] as const) {
    hold(`${name} rate, Mb/s`, asked, measured.rateMbps, (asked * tolerance.ratePercent) / 100);
    const p = channel.lossPercent / 100;
    hold(`${name} loss, %`, channel.lossPercent, measured.lossPercent, 100 * tolerance.lossDeviations * Math.sqrt((p * (1 - p)) / measured.packets));
    hold(`${name} queue, packets`, channel.queuePackets, measured.queuePackets, tolerance.queuePackets);
  }
  return problems;
}

/** @returns the mean RTT of the pings that came back, milliseconds (ping prints only means to the microsecond); NaN if none did */
async function ping(address: string, bytes: number): Promise<number> {
  const text = await run(["ping", "-n", "-c", String(pings), "-i", "0.1", "-s", String(bytes), "-W", "2", address]).catch(() => "");
  return Number(/ = [\d.]+\/([\d.]+)\//.exec(text)?.[1] ?? NaN);
}

/** What arrived of a stream of UDP packets, by the receiving iperf3's own account. */
async function iperf(service: string, address: string, direction: Direction, mbps: number, bytes: number): Promise<UdpResult> {
  const command = ["iperf3", "--json", "--client", address, "--udp", "--bitrate", `${mbps}M`, "--length", String(bytes),
    "--time", String(secondsEach), "--get-server-output", ...(direction === "down" ? ["--reverse"] : [])];
  const { intervals, end } = await retry(async () => {
    await callHost(service, "PUT", "/iperf");
    await afterSeconds(0.1, async () => {}); // until it listens
    const own = JSON.parse(await run(command)) as IperfOutput & { server_output_json: IperfOutput };
    const receiver = direction === "down" ? own : own.server_output_json;
    if (receiver.intervals.length < secondsEach) throw new Error(`iperf3 measured ${receiver.intervals.length} of ${secondsEach} s`);
    return receiver;
  });
  return {
    mbps: mean(intervals.slice(1, pingFromSecond).map(({ sum }) => sum.bits_per_second / 1e6)),
    packets: end.sum.packets,
    lostPackets: end.sum.lost_packets,
  };
}

interface IperfOutput {
  intervals: { sum: { bits_per_second: number } }[];
  end: { sum: { packets: number; lost_packets: number } };
}

/** A lossy link can swallow the first packet of a test, on which iperf3 waits in vain. */
async function retry<T>(action: () => Promise<T>, tries = 3): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (tries === 0) throw error;
    return retry(action, tries - 1);
  }
}
