/** Traffic that measures, from the harness's host to a server. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "./command.ts";
import { callHost } from "./control.ts";

export type Direction = "down" | "up";
/** One a direction, so that both can be measured at once. */
const iperfPorts = { down: 5201, up: 5202 };
/** A SYN that was lost goes out again after a second: what takes longer says nothing of the RTT. */
const firstSynMs = 1000;

export interface Target {
  service: string;
  address: string;
  port: number;
}

/** RTTs of TCP's handshake, milliseconds, as this kernel measured them (ss(8), minrtt). NaN when no connection came about. */
export async function handshakes({ address, port }: Target, count: number, intervalMs: number): Promise<number[]> {
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i++) {
    sockets.push(connect(port, address).on("error", () => {}));
    await sleep(intervalMs);
  }
  await Promise.race([Promise.all(sockets.map((socket) => socket.connecting && once(socket, "connect"))), sleep(firstSynMs)]);
  const text = await run(["ss", "--tcp", "--info", "--numeric", "--no-header", "state", "established", "dst", `${address}:${port}`]);
  for (const socket of sockets) socket.resetAndDestroy();
  const rttsMs = [...text.matchAll(/ minrtt:([\d.]+)/g)].map((match) => Number(match[1])).filter((ms) => ms < firstSynMs);
  return rttsMs.length ? rttsMs : [NaN];
}

export interface UdpResult {
  /** Rate of payload, as it arrived, in each second. */
  mbpsEachSecond: number[];
  packets: number;
  lostPackets: number;
}

interface IperfOutput {
  intervals: { sum: { bits_per_second: number } }[];
  end: { sum: { packets: number; lost_packets: number } };
}

/**
 * What arrived of a stream of UDP packets, by the receiving iperf3's own account. A lossy link can swallow the first
 * packet of a test, on which iperf3 waits in vain: it is tried again, and a link that never lets one pass measures NaN.
 */
export async function udp(target: Target, direction: Direction, mbps: number, bytes: number, seconds: number): Promise<UdpResult> {
  for (let tries = 0; tries < 3; tries++) {
    const { intervals = [], end } = await iperf(target, direction, mbps, bytes, seconds).catch((): Partial<IperfOutput> => ({}));
    if (!end || intervals.length < seconds) continue;
    return {
      mbpsEachSecond: intervals.map(({ sum }) => sum.bits_per_second / 1e6),
      packets: end.sum.packets,
      lostPackets: end.sum.lost_packets,
    };
  }
  return { mbpsEachSecond: Array<number>(seconds).fill(NaN), packets: NaN, lostPackets: NaN };
}

/** One test. @returns the receiver's side of it */
async function iperf({ service, address }: Target, direction: Direction, mbps: number, bytes: number, seconds: number): Promise<Partial<IperfOutput>> {
  await callHost(service, "PUT", "/iperf", { port: iperfPorts[direction] });
  await sleep(100); // until it listens
  const own = JSON.parse(
    await run(["iperf3", "--json", "--client", address, "--port", String(iperfPorts[direction]), "--udp", "--bitrate", `${mbps}M`,
      "--length", String(bytes), "--time", String(seconds), "--get-server-output", ...(direction === "down" ? ["--reverse"] : [])]),
  ) as Partial<IperfOutput> & { server_output_json?: IperfOutput };
  return direction === "down" ? own : own.server_output_json ?? {}; // which a full link may have swallowed
}
