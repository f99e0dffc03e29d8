/** Whether a load's evidence agrees with itself: what client, captures, shaper and processor each say of the same thing. */
import { outlastsSynTimer } from "../../axes/link-values.ts";
import type { Evidence, TransitEvidence } from "../../schema/evidence.ts";
import { directions, sendingMs } from "../../schema/link.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Protocol } from "../../schema/protocol.ts";
import type { Registries, Replays } from "../../schema/registries.ts";
import { tolerance } from "../../schema/tolerances.ts";
import { datagramProblems } from "./datagrams.ts";
import { exchangeProblems } from "./exchanges.ts";
import { paintProblems } from "./paint.ts";
import { requestProblems, requestsOf, sum, timingProblems } from "./requests.ts";
import { handshakeRoundTrips } from "./round-trips.ts";

/** Ethernet, IPv4 and TCP headers without options: no segment is shorter. */
const leastFrameBytes = 54;
/** The kernel counts processor time in ticks, at each of two readings. */
const tickMs = 10;

/** What does not agree, in words. @param wallMs of its line, where there is one yet */
export function disagreements(
  pageLoadMs: number,
  evidence: Evidence,
  condition: Condition,
  { protocols, clients }: Registries,
  wallMs?: number,
): string[] {
  const protocol = protocols[condition.settings.page.protocol]!;
  const client = clients[condition.settings.client.software]!;
  const { replays } = client;
  return [
    ...requestProblems(pageLoadMs, evidence, condition, client),
    ...timingProblems(evidence, condition, protocol, client),
    ...counterProblems(evidence),
    ...(protocol.transport === "tcp" ? segmentProblems(evidence) : datagramProblems(evidence)),
    ...(outlastsSynTimer(condition.settings.link) ? [] : hiddenProblems(evidence)),
    ...loadEventProblems(pageLoadMs, evidence, protocol),
    ...packetTimeProblems(evidence, condition, protocol),
    ...exchangeProblems(evidence, condition, replays, wallMs),
    ...processorProblems(pageLoadMs, evidence, wallMs, replays),
    ...paintProblems(evidence, wallMs, replays),
  ];
}

/** The shaper's own counters, the path's, and what arrived. */
function counterProblems({ link, packets: { path }, receivedBytes }: Evidence): string[] {
  return [
    ...directions.flatMap((direction) => {
      const { sentPackets, sentBytes, lostPackets, queueDroppedPackets, queuedPackets } = link[direction];
      const { sentPackets: sent, shapedPackets, forwardedPackets, arrivedPackets, transit } = path[direction];
      // Of packets that were sent while the link was made, it is not known whether they are the load's.
      const leastAtBoth = arrivedPackets.atLeast - (sent.atMost - sent.atLeast);
      const entered = sentPackets + lostPackets + queueDroppedPackets + queuedPackets;
      const hold = (holds: boolean, problem: string) => (holds ? [] : [`${direction}: ${problem}`]);
      return [
        ...hold(shapedPackets === entered, `${entered} packets by the shaper's counters, ${shapedPackets} on the path`),
        ...hold(
          forwardedPackets === sentPackets,
          `${sentPackets} packets left by the shaper's counters, ${forwardedPackets} on the path`,
        ),
        ...hold(
          sentBytes >= sentPackets * leastFrameBytes && sentBytes <= sentPackets * tolerance.frameBytes,
          `${sentPackets} packets cannot be ${sentBytes} bytes`,
        ),
        ...hold(
          !transit || (transit.packets >= leastAtBoth && transit.packets <= arrivedPackets.atMost),
          `${transit?.packets} packets were seen at both ends, ${leastAtBoth} to ${arrivedPackets.atMost} arrived`,
        ),
        ...[sent, arrivedPackets].flatMap(({ atLeast, atMost }) =>
          hold(atMost - atLeast <= tolerance.unsurePackets, `${atLeast} to ${atMost} packets is too vague a count`),
        ),
        ...(transit ? transitProblems(transit).map((problem) => `${direction}: ${problem}`) : []),
      ];
    }),
    ...(link.down.sentBytes >= receivedBytes
      ? []
      : [`the client received ${receivedBytes} bytes, and ${link.down.sentBytes} came through the link`]),
  ];
}

/** Figures that packets cannot have. */
function transitProblems({ packets, least, mostMs, backToBack: run }: TransitEvidence): string[] {
  const aPacket = run && run.bytes / run.packets;
  return [
    ...(mostMs >= least.ms ? [] : [`the slowest packet took ${mostMs} ms, the quickest ${least.ms}`]),
    ...(least.bytes >= leastFrameBytes ? [] : [`the quickest packet had ${least.bytes} bytes`]),
    ...(!run || (run.packets <= packets && aPacket! >= leastFrameBytes && aPacket! <= tolerance.frameBytes)
      ? []
      : [`${run.packets} of ${packets} packets that waited for one another had ${run.bytes} bytes`]),
  ];
}

/** Where the link lost nothing, nothing hides a connection's handshake, receive window or initcwnd; else, no more than it lost. */
function hiddenProblems({ link: { down, up }, packets: { flows, quicFlows = [] } }: Evidence): string[] {
  const gone = sum([down, up].map(({ lostPackets, queueDroppedPackets }) => lostPackets + queueDroppedPackets));
  const used = flows.filter(({ server }) => server && server.sentSegments > 0); // others may be on their way yet
  const blind = [...used, ...quicFlows.filter(({ server }) => server)].filter(
    ({ handshakeMs }) => handshakeMs === null,
  ).length;
  const windowless = used.filter(
    ({ server, receiveWindow }) => server?.initcwnd === null || receiveWindow === null,
  ).length;
  return [
    ...(blind <= gone ? [] : [`${blind} handshakes were not seen whole, and the link lost ${gone} packets`]),
    ...(gone > 0 || windowless === 0
      ? []
      : [`of ${windowless} connections a window was not seen, and the link lost no packet`]),
  ];
}

/** What servers sent is enough for what the client received, and what was lost of it was sent again. */
function segmentProblems({
  connections,
  unanswered = [],
  link: { down },
  packets: { flows, path, largestFrameBytes },
}: Evidence): string[] {
  const used = flows.flatMap(({ host, server }) => (server ? [{ host, ...server }] : []));
  const sent = sum(used.map(({ sentSegments }) => sentSegments));
  const repeated = sum(used.map(({ retransmittedSegments }) => retransmittedSegments));
  const others = path.down.sentPackets.atMost - sent; // acknowledgments, SYN/ACK, FIN
  const gone = down.lostPackets + down.queueDroppedPackets;
  const ends = flows.map(({ host, clientPort }) => `${clientPort} to ${host}`);
  const hosts = [...new Set(connections.map(({ host }) => host))];
  return [
    ...hosts.flatMap((host) => {
      const bytes = sum(
        requestsOf({ connections: connections.filter((one) => one.host === host) }).map((one) => one.bytes),
      );
      const fresh = sum(
        used.filter((one) => one.host === host).map((one) => one.sentSegments - one.retransmittedSegments),
      );
      const mostBytes = fresh * (largestFrameBytes - leastFrameBytes);
      return bytes <= mostBytes ? [] : [`${host} answered with ${bytes} bytes, in ${fresh} segments`];
    }),
    ...(others >= 0 ? [] : [`${sent} segments sent by servers, in ${path.down.sentPackets.atMost} packets`]),
    ...(repeated >= gone - others
      ? []
      : [`${gone} packets were lost on their way down, and ${repeated} segments repeated`]),
    ...hosts.flatMap((host) => {
      // What is asked for and not answered yet may have a connection of its own, which the client does not name.
      const open = unanswered.filter(({ url }) => new URL(url).hostname === host).length;
      const own = connections.filter((one) => one.host === host);
      if (own.some(({ id }) => id === null)) return []; // how many it used is what the packets say
      const connected = own.length + open;
      const fresh = used.filter((one) => one.host === host).map((one) => one.sentSegments - one.retransmittedSegments);
      const spare = fresh.sort((a, b) => b - a).slice(connected);
      return spare.some((segments) => segments > tolerance.handshakeSegments)
        ? [`the browser used ${connected} connections to ${host}, and data came over ${fresh.length}`]
        : [];
    }),
    ...used.flatMap(({ host, sentSegments, retransmittedSegments, firstFlightSegments, initcwnd }) =>
      Math.max(retransmittedSegments, firstFlightSegments, initcwnd?.atLeast ?? 0) <= sentSegments
        ? []
        : [
            `${host} sent ${sentSegments} segments, ${firstFlightSegments} of them at first and ${retransmittedSegments} again`,
          ],
    ),
    ...(new Set(ends).size === ends.length ? [] : ["two connections have the same ends"]),
  ];
}

/**
 * The load event comes after the first SYN, and after all the page's packets; what is before the one and after the other is
 * the client's own work, for which it needs a processor. What the event does not wait for goes on after it, and the packets do
 * not say whose they are.
 */
function loadEventProblems(pageLoadMs: number, evidence: Evidence, protocol: Protocol): string[] {
  const { packets, processor } = evidence;
  const { synToRequestMs, requestToLastDataMs, requestToLastAckMs } = packets;
  if (synToRequestMs === null || requestToLastDataMs === null || requestToLastAckMs === null) return [];
  if (requestsOf(evidence).some(({ nonBlocking }) => nonBlocking)) return [];
  const lastEndMs = Math.max(...requestsOf(evidence).map(({ endMs }) => endMs ?? 0));
  const byPacketsMs = synToRequestMs + requestToLastDataMs;
  // Of QUIC's datagrams only bounds are known (observe/quic-flows.ts): the last that is surely data, and the last of all.
  const latestMs = protocol.transport === "quic" ? synToRequestMs + requestToLastAckMs : byPacketsMs;
  const { labMs, otherMs, stealMs, waitMs } = processor;
  const workMs = labMs + otherMs + stealMs + (waitMs ?? 0) + 2 * tickMs;
  const took = `its packets took ${byPacketsMs.toFixed(1)}`;
  return [
    ...(pageLoadMs >= byPacketsMs - tolerance.earlyMs ? [] : [`the page had loaded after ${pageLoadMs} ms; ${took}`]),
    ...(pageLoadMs <= latestMs + workMs
      ? []
      : [`the page had loaded after ${pageLoadMs} ms; ${took}, the processor ${workMs}`]),
    ...(lastEndMs >= byPacketsMs - tolerance.earlyMs && lastEndMs <= latestMs + workMs
      ? []
      : [`the last request had ended after ${lastEndMs} ms; ${took}, the processor ${workMs}`]),
  ];
}

/** What packets take on this link: handshakes, acknowledgments, and all their bytes. */
function packetTimeProblems(evidence: Evidence, { settings: { link } }: Condition, protocol: Protocol): string[] {
  const { packets, link: counters, processor } = evidence;
  const { synToRequestMs, requestToLastDataMs, requestToLastAckMs, path } = packets;
  if (synToRequestMs === null || requestToLastDataMs === null || requestToLastAckMs === null) return [];
  const handshakesMs = handshakeRoundTrips(evidence, protocol) * link.rttMs;
  return [
    ...(protocol.transport === "quic" || Math.abs(requestToLastAckMs - requestToLastDataMs) <= tolerance.delayedAckMs
      ? []
      : [
          `the last data came ${requestToLastDataMs} ms after the first request, its acknowledgment after ${requestToLastAckMs}`,
        ]),
    ...(synToRequestMs >= handshakesMs - tolerance.earlyMs
      ? []
      : [`the first request came ${synToRequestMs} ms after the first packet; its handshakes take ${handshakesMs}`]),
    ...directions.flatMap((direction) => {
      const leastMs = sendingMs(link, direction, counters[direction].sentBytes);
      const { transit } = path[direction];
      const problems = transit && transit.mostMs > processor.elapsedMs ? [`a packet took ${transit.mostMs} ms`] : [];
      if (leastMs > processor.elapsedMs + link.rttMs)
        problems.push(`${counters[direction].sentBytes} bytes take ${leastMs.toFixed(0)} ms`);
      return problems.map((problem) => `${direction}: ${problem}, the whole load ${processor.elapsedMs}`);
    }),
  ];
}

/** The load lies within what was watched, and that within the line's time; nobody used more than there was. */
function processorProblems(pageLoadMs: number, { processor }: Evidence, wallMs?: number, replays?: Replays): string[] {
  const { cores, elapsedMs, labMs, otherMs, stealMs } = processor;
  const usedMs = labMs + otherMs + stealMs;
  const problems: string[] = [];
  if (elapsedMs < Math.floor(pageLoadMs)) problems.push(`it was watched for ${elapsedMs} ms, and took ${pageLoadMs}`);
  if (wallMs !== undefined && wallMs < elapsedMs) problems.push(`its line took ${wallMs} ms, the load ${elapsedMs}`);
  if (usedMs > cores * (elapsedMs + 2 * tickMs)) problems.push(`${usedMs} ms of ${cores} cores in ${elapsedMs} ms`);
  // A browser takes more than a tick; a client that only fetches may not.
  if (labMs <= 0 && !replays) problems.push("the lab used no processor");
  return problems;
}
