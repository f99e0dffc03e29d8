/** Traffic between the harness's host and a server that measures a link, by what captures at both ends see of it. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import waitFor, { TimeoutError } from "p-wait-for";
import { ask } from "../../hosts/control.ts";
import { type DatagramPlan, openDatagramSocket, sendDatagrams } from "../../hosts/datagram-stream.ts";
import { serverRoutes } from "../../hosts/routes.ts";
import { datagrams, matchStream, type StreamMeasurement } from "../../observe/datagrams.ts";
import type { Observer } from "../../observe/observer.ts";
import { undeliveredTo } from "../../observe/open-sockets.ts";
import { decode, type Packet } from "../../observe/packet.ts";
import { clientFlows } from "../../observe/tcp-flows.ts";
import { type Direction, directions, type Link } from "../../schema/link.ts";
import { iperf, probePorts, settleMs } from "./iperf.ts";
import { retry } from "./retry.ts";
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

/**
 * UDP streams in both directions at once, and what happened to every packet.
 * @param plan how they are sent, and how long that takes at least
 */
export async function streams(
  { observer, service, address, clientAddress }: Target,
  link: Link,
  plan: Record<Direction, DatagramPlan>,
): Promise<Record<Direction, StreamMeasurement>> {
  observer.keepUp();
  const fromMs = Date.now();
  const sockets = await Promise.all(
    directions.map(async (direction) => {
      const port = probePorts[direction];
      const socket = await openDatagramSocket(clientAddress);
      const client = { address: clientAddress, port: socket.address().port };
      const ofServer = direction === "down" ? plan.down : null;
      await ask(service, serverRoutes.startStream, { port, client, send: ofServer });
      if (ofServer === null) await sendDatagrams(socket, { address, port }, plan.up);
      else await sleep((1000 * ofServer.packets) / ofServer.perSecond);
      return socket;
    }),
  );
  await ask(service, serverRoutes.finishStream, { port: probePorts.down });
  await sleep(settleMs(link));
  for (const socket of sockets) socket.close();
  const frames = observer.frames().filter(({ timeMs }) => timeMs >= fromMs);
  const far = await ask(service, serverRoutes.datagrams, {
    fromMs,
    clientAddress,
    ports: { down: probePorts.down, up: probePorts.up },
  });
  return {
    down: matchStream(far.down, datagrams(frames, address, probePorts.down)),
    up: matchStream(datagrams(frames, clientAddress, probePorts.up), far.up),
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
    await allDelivered(target);
    const problem = await iperf(target, link, { seconds, options });
    await sleep(settleMs(link));
    const source = `${address}:${probePorts.goodput}`;
    const data = observer.frames().flatMap((frame): Packet[] => {
      const packet = decode(frame);
      const isData = typeof packet === "object" && packet.transport === "tcp" && packet.source === source;
      return isData && packet.payloadBytes > messageBytes ? [packet] : [];
    });
    const bytes = goodputBytes(data, plan);
    if (problem && bytes.includes(0)) throw new Error(problem);
    return bytes;
  });

/** Longer than TCP waits before it sends a packet again that was lost a few times. */
const deliverySeconds = 60;

/**
 * Waits until no TCP connection between client and server has anything left to send. What a program leaves behind when it ends, its
 * kernel sends later, again and again: into the queue of whatever is measured next, which then loses packets of its own.
 */
export async function allDelivered({ service, address }: Target): Promise<void> {
  const left = async () => (await ask(service, serverRoutes.undelivered)) + (await undeliveredTo(address));
  try {
    await waitFor(async () => (await left()) === 0, { interval: 50, timeout: deliverySeconds * 1000 });
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
  }
}
