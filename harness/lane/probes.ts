/** Traffic between the harness's host and a server that measures a link, by what captures at both ends see of it. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "../../hosts/command.ts";
import { ask } from "../../hosts/control.ts";
import { serverRoutes } from "../../hosts/routes.ts";
import { datagrams, matchStream, type StreamMeasurement } from "../../observe/iperf-stream.ts";
import type { Observer } from "../../observe/observer.ts";
import { decode, type Packet } from "../../observe/packet.ts";
import { clientFlows } from "../../observe/tcp-flows.ts";
import { type Direction, directions, fullFrameBytes, type Link, packetMs } from "../../schema/link.ts";
import { plannedPackets } from "../../schema/procedure.ts";
import { measureWhole, retry } from "./retry.ts";
import { goodputBytes } from "./sampling.ts";

/** A port for each test, so that several can run at once. */
const iperfPorts = { down: 5201, up: 5202, goodput: 5203 };
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

/** Milliseconds after which no packet of a test can still be under way: a round trip, a full queue, and a margin. */
export const settleMs = ({ rttMs, queuePackets, upMbps, downMbps }: Link) =>
  100 + rttMs + packetMs(queuePackets * fullFrameBytes, Math.min(upMbps, downMbps));

/**
 * RTTs of TCP handshakes, milliseconds. Those whose SYN was repeated are left out, because the answer may be to either SYN.
 * @param sentTwice the RTT is so long that every SYN is repeated before its answer can arrive: the answer is to the first
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
    directions.map((direction) =>
      iperf(target, direction, [
        "--udp",
        "--bitrate",
        `${plan[direction].mbps}M`,
        "--length",
        String(plan[direction].payloadBytes),
        "--time",
        String(plan[direction].seconds),
        ...(direction === "down" ? ["--reverse"] : []),
      ]),
    ),
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

/** Payload of many TCP connections at once, downwards, in each measured second. By the capture: a program may read data long after it has arrived. */
export async function goodput(
  target: Target,
  plan: { seconds: number; fromSecond: number; connections: number },
): Promise<number[]> {
  const { observer, address } = target;
  observer.keepUp();
  await iperf(target, "goodput", ["--reverse", "--time", String(plan.seconds), "--parallel", String(plan.connections)]);
  const source = `${address}:${iperfPorts.goodput}`;
  const data = observer.frames().flatMap((frame): Packet[] => {
    const packet = decode(frame);
    const isData = typeof packet === "object" && packet.transport === "tcp" && packet.source === source;
    return isData && packet.payloadBytes > messageBytes ? [packet] : [];
  });
  return goodputBytes(data, plan);
}

/** One test. A link that is full or loses packets can drop iperf3's own messages, so a test that fails is repeated. */
const iperf = ({ service, address }: Target, test: keyof typeof iperfPorts, options: string[]): Promise<string> =>
  retry(async () => {
    const port = iperfPorts[test];
    await ask(service, serverRoutes.iperf, { port });
    return run(["iperf3", "--json", "--client", address, "--port", String(port), ...options]);
  });
