/** Traffic that measures, from the harness's host to a server, told by what captures at both ends saw of it. */
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

/** One a test, so that several can run at once. */
const iperfPorts = { down: 5201, up: 5202, goodput: 5203 };
const tries = 8;
/** What iperf3 says of a test before it begins is shorter than this. */
const talkBytes = 1000;

/** Who measures whom: the client's capture, and a server that listens. */
export interface Target {
  observer: Observer;
  service: string;
  address: string;
  port: number;
  clientAddress: string;
}

/** Milliseconds after which nothing of a test can still be under way: half of all it had to wait for, and a little. */
export const settleMs = ({ rttMs, queuePackets, upMbps, downMbps }: Link) =>
  100 + rttMs + packetMs(queuePackets * fullFrameBytes, Math.min(upMbps, downMbps));

/**
 * RTTs of TCP's handshake, milliseconds; of those whose SYN went out once.
 * @param sentTwice every SYN is sent again before its answer can be there: that one is the first's
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

/** What a stream is made of. */
export interface StreamPlan {
  mbps: number;
  payloadBytes: number;
  seconds: number;
}

/**
 * UDP streams in both directions at once (iperf3), and what became of every packet.
 * @throws Error with iperf3's words when it cannot run at all
 */
export async function streams(
  target: Target,
  link: Link,
  plan: Record<Direction, StreamPlan>,
): Promise<Record<Direction, StreamMeasurement>> {
  for (let attempt = 1; ; attempt++) {
    const measured = await streamsOnce(target, link, plan);
    // A lossy link can swallow iperf3's greeting, on which it waits in vain, or its word to go on.
    const isWhole = directions.every((direction) => measured[direction].packets > plannedPackets(plan[direction]) / 2);
    if (attempt === tries || isWhole) return measured;
  }
}

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

/**
 * Goodput of many TCP connections at once, downwards, Mb/s: payload that arrived for the first time, from a second on.
 * By the capture: what a program reads in a second may have arrived long before, behind a hole.
 */
export async function goodputMbps(
  target: Target,
  plan: { seconds: number; fromSecond: number; connections: number },
): Promise<number> {
  const { observer, address } = target;
  observer.keepUp();
  await iperf(target, "goodput", ["--reverse", "--time", String(plan.seconds), "--parallel", String(plan.connections)]);
  const data = observer
    .frames()
    .map(decode)
    .filter(
      (packet): packet is Packet =>
        typeof packet !== "string" &&
        packet.transport === "tcp" &&
        packet.source === `${address}:${iperfPorts.goodput}` &&
        packet.payloadBytes > talkBytes,
    );
  const seen = new Set<string>();
  const fresh = data.filter(
    ({ destination, sequence }) => !seen.has(`${destination} ${sequence}`) && seen.add(`${destination} ${sequence}`),
  );
  const startMs = (fresh[0]?.timeMs ?? NaN) + plan.fromSecond * 1000;
  const within = fresh.filter(
    ({ timeMs }) => timeMs >= startMs && timeMs < startMs + (plan.seconds - plan.fromSecond) * 1000,
  );
  return within.reduce((sum, { payloadBytes }) => sum + payloadBytes * 8, 0) / (plan.seconds - plan.fromSecond) / 1e6;
}

/** One test. A link full to the brim, or a lossy one, can swallow what iperf3 has to say of it: it is tried again. */
async function iperf({ service, address }: Target, test: keyof typeof iperfPorts, options: string[]): Promise<string> {
  const port = String(iperfPorts[test]);
  for (let attempt = 1; ; attempt++) {
    await ask(service, serverRoutes.iperf, { port: iperfPorts[test] });
    try {
      return await run(["iperf3", "--json", "--client", address, "--port", port, ...options]);
    } catch (error) {
      if (attempt === tries) throw error;
    }
  }
}
