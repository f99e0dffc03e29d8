/** What a host observes of a load: its packets and its TCP settings. */
import { readFileSync } from "node:fs";
import type { z } from "zod";
import { readHystart } from "../hosts/hystart.ts";
import { deviceOf, here } from "../hosts/prepare.ts";
import { attachments, type Topology, webHosts } from "../hosts/topology.ts";
import { isOfBackground } from "../schema/background.ts";
import type { CountBounds } from "../schema/evidence.ts";
import type { captureSummary, ServerObservation, Sighting, Span, Spans } from "../schema/observation.ts";
import { pageWindows } from "./background-visits.ts";
import { withoutCopies } from "./copies.ts";
import { foreignTraffic, isToServer, type OwnTraffic } from "./foreign-traffic.ts";
import { isDamaged } from "./intact.ts";
import { readKeyLog } from "./key-log.ts";
import { congestionByClient } from "./open-sockets.ts";
import { decode, type Packet } from "./packet.ts";
import { Capture, type CaptureSize, type Frame, headsOnly, wholeFrames } from "./packet-capture.ts";
import { sentPackets } from "./packet-trace.ts";
import type { QuicDatagram } from "./quic-conversations.ts";
import { quicServerFlows } from "./quic-flows.ts";
import { serverFlows } from "./tcp-flows.ts";
import { withoutBulk } from "./without-bulk.ts";

export interface PacketObservation extends z.infer<typeof captureSummary> {
  packets: Packet[];
  quic: QuicDatagram[];
  /** Packets of background flows, which do not belong to the load. `sent` and `arrived` include them, because they pass the same queues. */
  background: Packet[];
}

const keepUpMs = 100;

export class Observer {
  #capture: Capture;
  readonly #device: string;
  readonly #size: CaptureSize;
  /** The device's MAC address, without colons. */
  readonly #mac: string;
  /** Whether the link corrupts packets, so that packets with wrong checksums are counted separately. */
  #checks = false;
  readonly #own: string;
  readonly #ownTraffic: OwnTraffic;
  readonly #macs: Set<string>;
  readonly #kept: Frame[] = [];
  /** How many frames were dropped between the last two calls of `frames`. */
  #missed = 0;
  #emptying: NodeJS.Timeout | undefined;

  /** @param lab the addresses of the client and all web hosts @param macs the MAC addresses of all hosts */
  constructor(
    { device, size }: { device: string; size: CaptureSize },
    own: { address: string; mac: string },
    lab: string[],
    macs: string[],
    quicPorts: readonly number[],
  ) {
    this.#capture = new Capture(device, size);
    this.#device = device;
    this.#size = size;
    this.#own = own.address;
    this.#mac = own.mac.replaceAll(":", "");
    this.#ownTraffic = { hosts: new Set(lab), quicPorts: new Set(quicPorts) };
    this.#macs = new Set(macs.map((mac) => mac.replaceAll(":", "")));
  }

  /** Turns checks of checksums on or off. This restarts the capture, because checks need whole packets, so call it before a load. */
  checkPackets(checks: boolean): void {
    if (checks === this.#checks) return;
    this.#checks = checks;
    this.#capture.close();
    this.#capture = new Capture(this.#device, checks ? wholeFrames : this.#size);
  }

  /** Returns all frames since the last call. */
  frames(): Frame[] {
    clearInterval(this.#emptying);
    this.#emptying = undefined;
    const frames = [...this.#kept.splice(0), ...this.#capture.drain()];
    this.#missed = this.#capture.missedFrames();
    return frames;
  }

  /**
   * Empties the ring regularly until `frames` is called, because calibration, background flows and large pages send more than the ring holds.
   * @param most how many frames may be kept; after that the ring is no longer emptied, and frames that it drops count as missed
   */
  keepUp(most = Number.POSITIVE_INFINITY): void {
    const keep = () => {
      if (this.#kept.length > most) return;
      for (const frame of this.#capture.drain()) this.#kept.push(withoutBulk(frame));
    };
    this.#emptying ??= setInterval(keep, keepUpMs).unref();
  }

  /**
   * Returns what was captured of one load. Packets from before `outer` are discarded.
   * @param laterMs how long packets that the host sends wait in its queueing discipline before they are captured. The times in `packets` are
   * when TCP sent the packets. The times in `sightings` are when the packets left the host.
   */
  observe({ inner, outer }: Spans, laterMs = 0): PacketObservation {
    const seen = this.frames().filter(({ timeMs }) => timeMs >= outer.fromMs);
    const isWrong = ({ head }: Frame) => this.#checks && isDamaged(head, { mac: this.#mac, address: this.#own });
    const [frames, damaged] = [seen.filter((frame) => !isWrong(frame)), seen.filter(isWrong)];
    const decoded = frames.filter((frame) => !this.#isAnnouncement(frame)).map(decode);
    const all = decoded.filter((packet) => typeof packet !== "string");
    const own = (end: string) => end.startsWith(`${this.#own}:`);
    // A bridge floods frames for an address that it has not learned, so other hosts' packets may be captured here, too.
    const packets = all.filter(({ source, destination }) => own(source) || own(destination));
    const sightings = (end: "source" | "destination"): Sighting[] =>
      packets.filter((packet) => own(packet[end])).map(({ timeMs, frameBytes, mark }) => [timeMs, frameBytes, mark]);
    const timesOf = (seen: Sighting[]) => seen.map(([timeMs]) => timeMs);
    const count = (timesMs: number[]): CountBounds => {
      const within = ({ fromMs, toMs }: Span) => timesMs.filter((ms) => ms >= fromMs && ms <= toMs).length;
      return { atLeast: within(inner), atMost: within(outer) };
    };
    const [sent, arrived] = [sightings("source"), sightings("destination")];
    const waitedMs = ({ source }: { source: string }) => (own(source) ? laterMs : 0);
    const once = withoutCopies(laterMs > 0 ? asSent(packets, waitedMs) : packets);
    const tcp = once.filter((packet) => packet.transport === "tcp");
    const foreign = all.flatMap((packet) => foreignTraffic(packet, this.#ownTraffic) ?? []);
    return {
      packets: tcp.filter((packet) => !isOfBackground(packet)),
      background: tcp.filter(isOfBackground),
      // Only datagrams until the end of `outer`, because their number is compared with the number of packets within `outer`.
      quic: once.flatMap((packet) =>
        packet.transport === "udp" && packet.timeMs + waitedMs(packet) <= outer.toMs
          ? { packet, fromClient: isToServer(packet, this.#ownTraffic) }
          : [],
      ),
      sent: count(timesOf(sent)),
      arrived: count([...timesOf(arrived), ...damaged.map(({ timeMs }) => timeMs)]),
      ...(this.#checks && { damaged: damaged.filter(({ timeMs }) => timeMs <= outer.toMs).length }),
      sightings: { sent, arrived },
      largestFrameBytes: frames.reduce((most, { bytes }) => Math.max(most, bytes), 0),
      foreign: [...new Set([...decoded.filter((packet) => typeof packet === "string"), ...foreign])],
      missedFrames: this.#missed,
      ...ecnOf(
        packets.filter((packet) => own(packet.destination) && packet.timeMs <= outer.toMs && !isOfBackground(packet)),
      ),
    };
  }

  /** Whether the frame is a multicast that no host of the lab sent, as when a container engine's bridge announces its IPv6 addresses. */
  #isAnnouncement({ head }: Frame): boolean {
    return (head[0]! & 1) === 1 && !this.#macs.has(head.subarray(6, 12).toString("hex"));
  }
}

/** Packets with the times when TCP or QUIC sent them, in time order. @param waitedMs how long a packet then waited before it was captured */
const asSent = <Seen extends { source: string; timeMs: number }>(
  packets: readonly Seen[],
  waitedMs: (packet: Seen) => number,
): Seen[] =>
  packets
    .map((packet) => ({ ...packet, timeMs: packet.timeMs - waitedMs(packet) }))
    .sort((a, b) => a.timeMs - b.timeMs);

/** The value of an IP header's ECN field with which a queue marks a packet. */
const congestionExperienced = 3;

function ecnOf(arrived: readonly { ecn?: number }[]): Pick<z.infer<typeof captureSummary>, "ecn"> {
  const fields = arrived.flatMap(({ ecn }) => ecn ?? []);
  const marked = fields.filter((ecn) => ecn === congestionExperienced).length;
  return fields.length ? { ecn: { capable: fields.length, marked } } : {};
}

/** Opens a host's observer, which must run in the host's network namespace. The client's observer captures whole frames. */
export async function openObserver(topology: Topology, host: string, quicPorts: readonly number[]): Promise<Observer> {
  const { address = "", mac = "" } = attachments(topology, host)[0] ?? {};
  const client = attachments(topology, "harness")[0]?.address ?? "";
  const macs = Object.keys(topology.services).flatMap((service) =>
    attachments(topology, service).map(({ mac }) => mac),
  );
  return new Observer(
    { device: await deviceOf(here, address), size: host === "harness" ? wholeFrames : headsOnly },
    { address, mac },
    [client, ...webHosts(topology).map((web) => web.address)],
    macs,
    quicPorts,
  );
}

/** Returns all that a web host observes of a load. @param keyLog the secrets of QUIC connections @param laterMs as in `observe` */
export async function observeServer(
  observer: Observer,
  spans: Spans,
  keyLog: string,
  laterMs: number,
): Promise<Omit<ServerObservation, "sysctls" | "qdisc" | "quicCongestion" | "quicInitialBytes">> {
  const { packets, quic, background, ...seen } = observer.observe(spans, laterMs);
  const congestion = packets.length ? await congestionByClient() : new Map<string, string>();
  const [any] = congestion.values(); // all connections use one route, so closed connections had the same congestion control
  const flows = serverFlows(packets, (client) => paces.has(congestion.get(client) ?? any ?? ""));
  return {
    ...seen,
    flows: flows.map((flow) => ({ ...flow, congestion: congestion.get(flow.client) ?? null })),
    quicFlows: quicServerFlows(quic, readKeyLog(keyLog)),
    ...(background.length > 0 && { pageWindows: pageWindows(background) }),
    outgoing: sentPackets(packets, false),
    hystart: readHystart(),
    metricsSaved: metricsSaved(),
  };
}

const paces: ReadonlySet<string> = new Set(["bbr"]);

export const metricsSaved = () => readFileSync("/proc/sys/net/ipv4/tcp_no_metrics_save", "utf8").trim() !== "1";
