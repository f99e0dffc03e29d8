/** How lanes measure: what they send and how long they wait. The judge checks records against the same numbers. */
import { type Direction, fullFrameBytes, fullSegmentBytes, type Link, rateOf } from "./link.ts";

/** The pause in which earlier connections end. On the virtual clock it precedes each load, because closing a browser takes no time there. */
export const restMs = 1000;

/**
 * A page is quiet once no request was active and no byte came for this long after the load event, as in WebPageTest's "fully loaded"
 * (https://docs.webpagetest.org/metrics).
 */
export const quietMs = 2000;

/** The most attempts to measure a link. A busy moment of the machine spoils only one attempt, but a wrong link fails all of them. */
export const maxCalibrations = 3;

/** UDP payload of a full and of a small packet, and each packet's headers: 14 bytes for Ethernet (netem counts these, too), 28 for IP and UDP. */
export const probeBytes = { full: 1472, small: 64, headers: 42 };

/** The number of TCP handshakes in the idle link. Their median duration is the link's measured RTT. */
export const handshakesIdle = 20;

/** The seconds of a link's trace in which the link is measured: at most 15, from second 1 on, because the queue is empty when second 0 begins. */
export const playedSeconds = { from: 1, most: 15 };

/** The number of TCP connections that together fill a link. */
export const fillingConnections = 32;

/** Returns the most goodput that a link's rate allows TCP, Mb/s. */
export const goodputLimit = ({ downMbps }: Link) => (downMbps * fullSegmentBytes) / fullFrameBytes;

/** Small packets that measure loss and delay: few enough that a stall of the machine cannot fill a queue of 50 packets. */
const lightLoad = { packetsPerSecond: 1000, share: 0.4, seconds: 3 };
/** How many packets it takes to measure the range of jitter, and the length of loss bursts. */
const [jitterPackets, burstPackets] = [1000, 12_000];

/** Plans the light test traffic: its payload rate and its duration. With jitter, packets are so far apart that none waits for another. */
export function lightPlan(link: Link, direction: Direction): { mbps: number; seconds: number } {
  const { jitterMs, lossBurstPackets } = link;
  const most = Math.min(
    lightLoad.packetsPerSecond,
    jitterMs === undefined ? Number.POSITIVE_INFINITY : 1000 / jitterMs,
  );
  const mbps = Math.min(
    (most * probeBytes.small * 8) / 1e6,
    (rateOf(link, direction) * lightLoad.share * probeBytes.small) / (probeBytes.small + probeBytes.headers),
  );
  const wanted = lossBurstPackets !== undefined ? burstPackets : jitterMs !== undefined ? jitterPackets : 0;
  return { mbps, seconds: Math.max(lightLoad.seconds, Math.ceil((wanted * probeBytes.small * 8) / (mbps * 1e6))) };
}

export const plannedPackets = (plan: { mbps: number; seconds: number; payloadBytes: number }): number =>
  (plan.mbps * 1e6 * plan.seconds) / (8 * plan.payloadBytes);
