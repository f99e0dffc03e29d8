/** Measures a link with traffic between the harness's host and a server. The traffic is captured at both ends. */
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

/** iperf3's control messages are shorter than this, and its data packets are longer. */
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
 * Measures RTTs of TCP handshakes, in milliseconds. Handshakes with a retransmitted SYN are left out: the answer may be to either SYN.
 * @param sentTwice whether to keep these handshakes, because an RTT may exceed the SYN's retransmission timer, so that they have the longest RTTs
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

/** Sends UDP streams in both directions at once, and returns what happened to every packet. */
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
 * Counts in the capture how many payload bytes arrive in each measured second, because iperf3 may read data long after it arrives.
 * @throws Error with iperf3's error, if in each attempt iperf3 fails and a second has no data
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

/** The longest wait for delivery: longer than TCP waits before it retransmits a packet that was lost a few times. */
const deliverySeconds = 60;

/** Waits, at most `deliverySeconds`, because retransmitted data of programs that have ended would fill the queue during the next measurement. */
export async function allDelivered({ service, address }: Target): Promise<void> {
  const left = async () => (await ask(service, serverRoutes.undelivered)) + (await undeliveredTo(address));
  try {
    await waitFor(async () => (await left()) === 0, { interval: 50, timeout: deliverySeconds * 1000 });
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
  }
}
