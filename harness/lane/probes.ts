/** Traffic between the harness's host and a server that measures a link, by what captures at both ends see of it. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../../hosts/control.ts";
import { serverRoutes } from "../../hosts/routes.ts";
import { datagrams, matchStream, type StreamMeasurement } from "../../observe/iperf-stream.ts";
import type { Observer } from "../../observe/observer.ts";
import { decode, type Packet } from "../../observe/packet.ts";
import { clientFlows } from "../../observe/tcp-flows.ts";
import { type Direction, directions, type Link } from "../../schema/link.ts";
import { plannedPackets } from "../../schema/procedure.ts";
import { iperf, iperfPorts, settleMs } from "./iperf.ts";
import { measureWhole, retry } from "./retry.ts";
import { goodputBytes } from "./sampling.ts";

/** The messages that iperf3 exchanges about a test are shorter than this; its data packets are longer. */
const messageBytes = 1000;

/** The two ends of a measurement: the client's capture, and a server that listens. */
export interface Target {
  observer: Observer;
  service: string;
  address: string;
  port: number;
  clientAddress: string;
}

/**
 * RTTs of TCP handshakes, milliseconds. Those whose SYN was repeated are left out, because the answer may be to either SYN.
 * @param sentTwice SYNs are repeated because the RTT may exceed their timer: the answer is to the first. Leaving these out would leave out
 *   the longest
 */
export async function handshakes(
  { observer, address, port }: Target,
  count: number,
  intervalMs: number,
  patienceMs: number,
  sentTwice = false,
): Promise<number[]> {
  observer.frames();
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i++) {
    sockets.push(connect(port, address).on("error", () => {}));
    await sleep(intervalMs);
  }
  await Promise.race([
    Promise.all(sockets.map((socket) => socket.connecting && once(socket, "connect"))),
    sleep(patienceMs),
  ]);
  for (const socket of sockets) socket.resetAndDestroy();
  const now = Date.now();
  const { packets } = observer.observe({ inner: { fromMs: 0, toMs: now }, outer: { fromMs: 0, toMs: now } });
  return clientFlows(packets).flatMap(({ handshakeMs, answerMs }) => (sentTwice ? answerMs : handshakeMs) ?? []);
}

export interface StreamPlan {
  mbps: number;
  payloadBytes: number;
  seconds: number;
}

/**
 * UDP streams in both directions at once, by iperf3, and what happened to every packet.
 * @throws Error with iperf3's message when it cannot run at all
 */
export const streams = (
  target: Target,
  link: Link,
  plan: Record<Direction, StreamPlan>,
): Promise<Record<Direction, StreamMeasurement>> =>
  // A lossy link can drop iperf3's first datagram, for which it waits in vain, or its message that the test begins.
  measureWhole(
    () => streamsOnce(target, link, plan),
    (measured) => directions.every((direction) => measured[direction].packets > plannedPackets(plan[direction]) / 2),
  );

async function streamsOnce(
  target: Target,
  link: Link,
  plan: Record<Direction, StreamPlan>,
): Promise<Record<Direction, StreamMeasurement>> {
  const { observer, service, address, clientAddress } = target;
  observer.keepUp();
  const fromMs = Date.now();
  await Promise.all(
    directions.map((direction) => {
      const { mbps, payloadBytes, seconds } = plan[direction];
      const options = ["--udp", "--bitrate", `${mbps}M`, "--length", String(payloadBytes)];
      if (direction === "down") options.push("--reverse");
      return retry(async () => {
        const problem = await iperf(target, link, { name: direction, seconds, options });
        if (problem) throw new Error(problem);
      });
    }),
  );
  await sleep(settleMs(link));
  const frames = observer.frames().filter(({ timeMs }) => timeMs >= fromMs);
  const far = await ask(service, serverRoutes.datagrams, {
    fromMs,
    clientAddress,
    ports: { down: iperfPorts.down, up: iperfPorts.up },
  });
  return {
    down: matchStream(far.down, datagrams(frames, address, iperfPorts.down)),
    up: matchStream(datagrams(frames, clientAddress, iperfPorts.up), far.up),
  };
}

/**
 * Payload of many TCP connections at once, downwards, in each measured second. By the capture: a program may read data long after
 * it has arrived, and in a full queue the client may learn late that the test has begun, or not at all that it is over.
 * @throws Error with iperf3's words if data is missing each time
 */
export const goodput = (
  target: Target,
  link: Link,
  plan: { seconds: number; fromSecond: number; connections: number },
): Promise<number[]> =>
  retry(async () => {
    const { observer, address } = target;
    const { seconds, connections } = plan;
    observer.keepUp();
    const options = ["--reverse", "--parallel", String(connections)];
    const problem = await iperf(target, link, { name: "goodput", seconds, options });
    await sleep(settleMs(link));
    const source = `${address}:${iperfPorts.goodput}`;
    const data = observer.frames().flatMap((frame): Packet[] => {
      const packet = decode(frame);
      const isData = typeof packet === "object" && packet.transport === "tcp" && packet.source === source;
      return isData && packet.payloadBytes > messageBytes ? [packet] : [];
    });
    const bytes = goodputBytes(data, plan);
    if (problem && bytes.includes(0)) throw new Error(problem);
    return bytes;
  });
