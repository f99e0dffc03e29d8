/** A host's own account of a load: its packets and its TCP. */
import { readFileSync } from "node:fs";
import type { z } from "zod";
import { run } from "../hosts/command.ts";
import { readHystart } from "../hosts/hystart.ts";
import { deviceOf, here } from "../hosts/prepare.ts";
import { attachments, type Topology, webHosts } from "../hosts/topology.ts";
import type { CountBounds } from "../schema/evidence.ts";
import type { captureSummary, ServerObservation, Sighting, Span, Spans } from "../schema/observation.ts";
import { isToServer, type Known, strangeness } from "./foreign-traffic.ts";
import { decode, type Packet } from "./packet.ts";
import { Capture, type Frame } from "./packet-capture.ts";
import { sentPackets } from "./packet-trace.ts";
import { type QuicDatagram, quicServerFlows } from "./quic-flows.ts";
import { serverFlows } from "./tcp-flows.ts";

export interface PacketObservation extends z.infer<typeof captureSummary> {
  packets: Packet[];
  quic: QuicDatagram[];
}

const keepUpMs = 100;

/** Watches one device of one host. */
export class Observer {
  readonly #capture: Capture;
  readonly #own: string;
  readonly #known: Known;
  readonly #macs: Set<string>;
  readonly #kept: Frame[] = [];
  /** Between the last two looks. */
  #missed = 0;
  #emptying: NodeJS.Timeout | undefined;

  /**
   * @param own the host's address @param lab the addresses of all hosts that loads run between @param macs of all hosts
   * @param quicPorts where servers speak QUIC: all other UDP is foreign
   */
  constructor(device: string, own: string, lab: string[], macs: string[], quicPorts: readonly number[]) {
    this.#capture = new Capture(device);
    this.#own = own;
    this.#known = { hosts: new Set(lab), quicPorts: new Set(quicPorts) };
    this.#macs = new Set(macs.map((mac) => mac.replaceAll(":", "")));
  }

  /** Every frame since the last look. */
  frames(): Frame[] {
    clearInterval(this.#emptying);
    this.#emptying = undefined;
    const frames = [...this.#kept.splice(0), ...this.#capture.drain()];
    this.#missed = this.#capture.missedFrames(); // a load's alone: that one was too large is not the next one's matter
    return frames;
  }

  /** Empty the ring again and again until the next look: for calibration, whose traffic may be more than it holds. */
  keepUp(): void {
    this.#emptying ??= setInterval(() => this.#kept.push(...this.#capture.drain()), keepUpMs).unref();
  }

  /** What went over the device in the load that `spans` says; what lies before is forgotten. */
  observe({ inner, outer }: Spans): PacketObservation {
    const frames = this.frames().filter(({ timeMs }) => timeMs >= outer.fromMs);
    const decoded = frames.filter((frame) => !this.#isAnnouncement(frame)).map(decode);
    const all = decoded.filter((packet) => typeof packet !== "string");
    const own = (end: string) => end.startsWith(`${this.#own}:`);
    // A bridge floods what it does not know the port of: another host's packets may be seen here, but count there.
    const packets = all.filter(({ source, destination }) => own(source) || own(destination));
    const sightings = (end: "source" | "destination"): Sighting[] =>
      packets.filter((packet) => own(packet[end])).map(({ timeMs, frameBytes, mark }) => [timeMs, frameBytes, mark]);
    const count = (seen: Sighting[]): CountBounds => {
      const within = ({ fromMs, toMs }: Span) => seen.filter(([timeMs]) => timeMs >= fromMs && timeMs <= toMs).length;
      return { atLeast: within(inner), atMost: within(outer) };
    };
    const [sent, arrived] = [sightings("source"), sightings("destination")];
    const words = all.flatMap((packet) => strangeness(packet, this.#known) ?? []);
    return {
      packets: packets.filter((packet) => packet.transport === "tcp"),
      quic: packets.flatMap((packet) =>
        packet.transport === "udp" ? { packet, fromClient: isToServer(packet, this.#known) } : [],
      ),
      sent: count(sent),
      arrived: count(arrived),
      sightings: { sent, arrived },
      largestFrameBytes: frames.reduce((most, { bytes }) => Math.max(most, bytes), 0),
      foreign: [...new Set([...decoded.filter((packet) => typeof packet === "string"), ...words])],
      missedFrames: this.#missed,
    };
  }

  /** Multicast of a device that is no host's: an engine's bridges announce their own IPv6, which no host of the lab speaks. */
  #isAnnouncement({ head }: Frame): boolean {
    return (head[0]! & 1) === 1 && !this.#macs.has(head.subarray(6, 12).toString("hex"));
  }
}

/** Of a host of the topology, in its own network namespace. @param quicPorts where servers speak QUIC */
export async function openObserver(topology: Topology, host: string, quicPorts: readonly number[]): Promise<Observer> {
  const address = attachments(topology, host)[0]?.address ?? "";
  const client = attachments(topology, "harness")[0]?.address ?? "";
  const macs = Object.keys(topology.services).flatMap((service) =>
    attachments(topology, service).map(({ mac }) => mac),
  );
  return new Observer(
    await deviceOf(here, address),
    address,
    [client, ...webHosts(topology).map((web) => web.address)],
    macs,
    quicPorts,
  );
}

/** A web host's whole account. @param observer of its device */
export async function observeServer(observer: Observer, spans: Spans): Promise<ServerObservation> {
  const { packets, quic, ...seen } = observer.observe(spans);
  const congestion = packets.length ? await congestionByClient() : new Map<string, string>();
  const [any] = congestion.values(); // one route has them all: of a connection that has ended, another's says it
  const flows = serverFlows(packets, (client) => paces.has(congestion.get(client) ?? any ?? ""));
  return {
    ...seen,
    flows: flows.map((flow) => ({ ...flow, congestion: congestion.get(flow.client) ?? null })),
    quicFlows: quicServerFlows(quic),
    outgoing: sentPackets(packets, false),
    hystart: readHystart(),
    metricsSaved: metricsSaved(),
  };
}

/** Congestion controls that spread what they send over time. */
const paces: ReadonlySet<string> = new Set(["bbr"]);

export const metricsSaved = () => readFileSync("/proc/sys/net/ipv4/tcp_no_metrics_save", "utf8").trim() !== "1";

/**
 * The congestion control of each established connection, as its socket has it: the word before its window scale or, where
 * that is off, its retransmission timeout. A server that listens on IPv6 too, as Node.js does, has its IPv4 clients as
 * "[::ffff:198.18.0.10]:40123". ss(8)
 */
async function congestionByClient(): Promise<Map<string, string>> {
  const command = ["ss", "--tcp", "--info", "--numeric", "--no-header", "--oneline", "state", "established"];
  const sockets = (await run(command)).matchAll(/^\s*\d+\s+\d+\s+\S+\s+(\S+)\s.*?\b(\w+) (?:wscale|rto):/gm);
  return new Map([...sockets].map(([, client = "", name = ""]) => [client.replace(/^\[::ffff:(.+)\]/, "$1"), name]));
}
