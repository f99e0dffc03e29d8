/** Checks servers' records of the client's earlier connections against the page and the link. Adaptive windows depend on these records. */
import { adaptiveWindow } from "../models/adaptive-window.ts";
import type { Evidence } from "../schema/evidence.ts";
import { expect } from "../schema/expect.ts";
import type { KnownClient, KnownConnection } from "../schema/known-client.ts";
import {
  directions,
  fullFrameBytes,
  fullQueueMs,
  fullSegmentBytes,
  highestRateOf,
  type Link,
  longestSendingMs,
  packetMs,
} from "../schema/link.ts";
import { standardWindow } from "../schema/linux.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { tolerance } from "../schema/tolerances.ts";
import { linkOf, longestSerialisationMs, outlastsSynTimer } from "./link-values.ts";

/** The window that a host must have chosen, given what it recorded. */
export const chosenFor = (host: string, { known = [] }: Evidence): number =>
  adaptiveWindow(known.find((client) => client.host === host)?.connections ?? []);

/** Compares each recorded number with the link, and with what the servers sent in the load: the earlier visit requested the same page. */
export function doubtsOfKnown(all: ConditionValues, evidence: Evidence, registries: Registries): string[] {
  const { known, connections } = evidence;
  if (!known) return ["the evidence lacks the servers' records of the client's earlier connections"];
  const link = linkOf(all, registries);
  const asked = new Set(connections.map(({ host }) => host));
  const knowing = known.map(({ host }) => host);
  return [
    ...[...asked]
      .filter((host) => !knowing.includes(host))
      .map((host) => `the evidence lacks the record that ${host} has of the client's earlier connections`),
    ...knowing.filter((host) => !asked.has(host)).map((host) => `${host} recorded the client, but got no request`),
    ...known.flatMap(({ host, connections: own }) => own.flatMap((one) => rateDoubts(one, host, link, evidence))),
    ...known.flatMap((client) => deliveryDoubts(client, evidence)),
    ...roundTripDoubts(known, link),
  ];
}

/** Checks that servers recorded nothing about the client, because the window is fixed. */
export const doubtsOfUnasked = ({ known }: Evidence): string[] =>
  known ? ["the evidence has servers' records of the client, but the windows are fixed"] : [];

/** Checks that round trips took at least the RTT, and at most the RTT plus the wait in full queues. The first handshake waits in no queue. */
function roundTripDoubts(known: readonly KnownClient[], link: Link): string[] {
  const mostMs = behindFullQueuesMs(link);
  const all = known.flatMap(({ connections }) => connections);
  const leastMs = Math.min(...all.map(({ minRttMs }) => minRttMs));
  const handshakeMs = link.rttMs + 2 * (link.jitterMs ?? 0) + longestSerialisationMs(link) + tolerance.handshakeMs;
  // Linux measures no round-trip time from a retransmitted SYN/ACK.
  const isClean = all.every(({ retransmittedSegments }) => retransmittedSegments === 0) && !outlastsSynTimer(link);
  return [
    ...all.flatMap(({ minRttMs, rttMs }) =>
      expect(
        minRttMs >= link.rttMs - tolerance.earlyMs && rttMs >= minRttMs - tolerance.earlyMs && rttMs <= mostMs,
        `a server recorded round trips of ${minRttMs} to ${rttMs} ms; over this link they take ${link.rttMs} to ${mostMs.toFixed(0)}`,
      ),
    ),
    ...(isClean && leastMs > handshakeMs
      ? [`servers recorded no round trip below ${leastMs} ms; a handshake takes at most ${handshakeMs.toFixed(1)}`]
      : []),
  ];
}

function behindFullQueuesMs(link: Link): number {
  const queues = directions.map((direction) => fullQueueMs(link, direction, tolerance.queuePackets));
  const waitsMs = queues.reduce((sum, ms) => sum + ms, 2 * (link.jitterMs ?? 0));
  return link.rttMs + waitsMs + tolerance.delayedAckMs + tolerance.lateMs;
}

/** Linux's delivery rate, over at least one round trip, may exceed the link's: queued ACKs arrive together, and an ACK acknowledges two segments. */
function rateDoubts(
  { deliveryMbps, minRttMs }: KnownConnection,
  host: string,
  link: Link,
  { link: did }: Evidence,
): string[] {
  const downMbps = highestRateOf(link, "down");
  const heldMs = longestSendingMs(link, "up", did.up.sentBytes) + packetMs(2 * fullFrameBytes, downMbps);
  const mostMbps = downMbps * (1 + heldMs / minRttMs);
  return expect(
    deliveryMbps <= mostMbps,
    `${host} recorded a delivery rate of ${deliveryMbps} Mb/s; over this link it is at most ${mostMbps.toFixed(2)}`,
  );
}

/** The earlier visit loaded the same page: servers delivered the same bytes, and each delivered segment enlarged the window by at most one. */
function deliveryDoubts({ host, connections: known }: KnownClient, { connections }: Evidence): string[] {
  const own = connections.filter((one) => one.host === host);
  const requests = own.flatMap((one) => one.requests);
  const bytes = requests.reduce((sum, request) => sum + request.bytes, 0);
  const delivered = known.reduce((sum, { deliveredBytes }) => sum + deliveredBytes, 0);
  return [
    ...expect(
      delivered === bytes || (delivered > bytes && own.some(({ tls }) => tls)),
      `${host} recorded ${delivered} delivered bytes; the page has ${bytes}`,
    ),
    ...known.flatMap(({ cwnd, deliveredBytes }) => {
      // A response begins with a segment of headers and ends with one that is not full.
      const segments = deliveredBytes / fullSegmentBytes + 2 * requests.length + tolerance.handshakeSegments;
      return expect(
        cwnd <= standardWindow + segments,
        `${host} recorded a window of ${cwnd} segments after only ${deliveredBytes} delivered bytes`,
      );
    }),
  ];
}
