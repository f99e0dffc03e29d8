/** Traffic that measures, from the harness's host to a server. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "./command.ts";
import { callHost } from "./control.ts";

export type Direction = "down" | "up";

export interface Target {
  service: string;
  address: string;
  port: number;
}

/** How long TCP takes to connect, milliseconds, one after the other. Those whose packets were lost wait a second: left out. */
export async function handshakes({ address, port }: Target, count: number, intervalMs: number): Promise<number[]> {
  const times = Array.from({ length: count }, async (_, i) => {
    await sleep(i * intervalMs);
    const start = performance.now();
    const socket = connect(port, address);
    await once(socket, "connect");
    const took = performance.now() - start;
    socket.resetAndDestroy();
    return took;
  });
  const made = (await Promise.allSettled(times)).flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const first = made.filter((took) => took < 1000);
  return first.length ? first : [NaN];
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

/** What arrived of a stream of UDP packets, by the receiving iperf3's own account. */
export async function udp({ service, address }: Target, direction: Direction, mbps: number, bytes: number, seconds: number): Promise<UdpResult> {
  const command = ["iperf3", "--json", "--client", address, "--udp", "--bitrate", `${mbps}M`, "--length", String(bytes),
    "--time", String(seconds), "--get-server-output", ...(direction === "down" ? ["--reverse"] : [])];
  const { intervals, end } = await retry(async () => {
    await callHost(service, "PUT", "/iperf");
    await sleep(100); // until it listens
    const own = JSON.parse(await run(command)) as IperfOutput & { server_output_json: IperfOutput };
    const receiver = direction === "down" ? own : own.server_output_json;
    if (receiver.intervals.length < seconds) throw new Error(`iperf3 measured ${receiver.intervals.length} of ${seconds} s`);
    return receiver;
  });
  return {
    mbpsEachSecond: intervals.map(({ sum }) => sum.bits_per_second / 1e6),
    packets: end.sum.packets,
    lostPackets: end.sum.lost_packets,
  };
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
