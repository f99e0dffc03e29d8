/** Checks whether a load's evidence is consistent. Client, captures, shaper and processor report the same events independently. */
import { extraRttMsOf } from "../../../axes/extra-rtt.ts";
import { usedFlows } from "../../../axes/flows.ts";
import { gonePackets } from "../../../axes/gone.ts";
import { isAnsweredLate } from "../../../axes/late-answers.ts";
import type { Evidence, FlowEvidence, QuicFlowEvidence, TransitEvidence } from "../../../schema/evidence.ts";
import { expect } from "../../../schema/expect.ts";
import { directions, type Link } from "../../../schema/link.ts";
import { tickMs } from "../../../schema/linux.ts";
import type { Condition } from "../../../schema/plan.ts";
import { quietMs } from "../../../schema/procedure.ts";
import type { Protocol } from "../../../schema/protocol.ts";
import { entryOf, isImported, type Registries, type Replays } from "../../../schema/registries.ts";
import { tolerance } from "../../../schema/tolerances.ts";
import { datagramProblems } from "./datagrams.ts";
import { exchangeProblems } from "./exchanges.ts";
import { loadEventWitnesses } from "./load-event.ts";
import { openedProblems } from "./opened-quic.ts";
import { packetTimeProblems } from "./packet-times.ts";
import { paintProblems } from "./paint.ts";
import { requestProblems, requestsOf, timingProblems } from "./requests.ts";
import { leastFrameBytes, segmentProblems } from "./segments.ts";
import { streamProblems } from "./streams.ts";

/** Returns the contradictions, in words. @param wallMs the wall time in the load's line; undefined before the line is written */
export function disagreements(
  pageLoadMs: number,
  evidence: Evidence,
  condition: Condition,
  registries: Registries,
  wallMs?: number,
): string[] {
  const { protocols, clients, pages } = registries;
  const protocol = entryOf(protocols, "protocols", condition.settings.page.protocol);
  const client = entryOf(clients, "clients", condition.settings.client.software);
  const { replays } = client;
  const isGenerated = !isImported(entryOf(pages, "pages", condition.settings.page.name));
  return [
    ...requestProblems(pageLoadMs, evidence, condition, client),
    ...timingProblems(evidence, condition, protocol, client),
    ...counterProblems(evidence),
    ...transportProblems(evidence, condition.settings.link, protocol),
    ...streamProblems(evidence, isGenerated && !replays && !client.drivenBy),
    ...hiddenProblems(evidence, condition.settings.link, extraRttMsOf(condition.values, registries)),
    ...loadEventProblems(pageLoadMs, evidence, protocol),
    ...packetTimeProblems(pageLoadMs, evidence, condition, protocol),
    ...exchangeProblems(evidence, condition, replays, wallMs),
    ...observedTimeProblems(pageLoadMs, evidence, wallMs, replays),
    ...loadEventWitnesses(evidence),
    ...paintProblems(evidence, wallMs, client),
  ];
}

/** Checks segments and datagrams. If HTTP/3 is not forced, a load over QUIC may also have TCP connections. */
function transportProblems(evidence: Evidence, { rttMs }: Link, { transport, alpn }: Protocol): string[] {
  if (transport === "tcp") return segmentProblems(evidence);
  const over = (isQuic: boolean) => ({
    ...evidence,
    connections: evidence.connections.filter(({ protocol }) => (protocol === alpn) === isQuic),
  });
  return [
    ...datagramProblems(over(true)),
    ...openedProblems(evidence, rttMs),
    ...(over(false).connections.length ? segmentProblems(over(false)) : []),
  ];
}

/** Compares the shaper's counters with the captures at both ends. */
function counterProblems({ link, packets: { path }, receivedBytes }: Evidence): string[] {
  return [
    ...directions.flatMap((direction) => {
      const {
        sentPackets,
        sentBytes,
        lostPackets,
        queueDroppedPackets,
        queuedPackets,
        damagedPackets = 0,
      } = link[direction];
      const {
        sentPackets: sent,
        shapedPackets,
        forwardedPackets,
        arrivedPackets,
        transit,
        copies = 0,
      } = path[direction];
      // Packets sent while the link was being set up may or may not belong to the load.
      const leastAtBoth = arrivedPackets.atLeast - copies - damagedPackets - (sent.atMost - sent.atLeast);
      const entered = sentPackets + lostPackets + queueDroppedPackets + queuedPackets;
      const hold = (holds: boolean, problem: string) => expect(holds, `${direction}: ${problem}`);
      return [
        ...hold(
          shapedPackets === entered,
          `${entered} packets entered according to the shaper's counters, ${shapedPackets} according to packets.path`,
        ),
        ...hold(
          forwardedPackets === sentPackets,
          `${sentPackets} packets left according to the shaper's counters, ${forwardedPackets} according to packets.path`,
        ),
        ...hold(
          sentBytes >= sentPackets * leastFrameBytes && sentBytes <= sentPackets * tolerance.frameBytes,
          `${sentPackets} packets cannot have ${sentBytes} bytes`,
        ),
        ...hold(
          !transit || (transit.packets >= leastAtBoth && transit.packets <= arrivedPackets.atMost),
          `${transit?.packets} packets were seen at both ends, ${leastAtBoth} to ${arrivedPackets.atMost} arrived`,
        ),
        ...[sent, arrivedPackets].flatMap(({ atLeast, atMost }) =>
          hold(
            atMost - atLeast <= tolerance.unsurePackets,
            `a count of ${atLeast} to ${atMost} packets is too imprecise`,
          ),
        ),
        ...(transit ? transitProblems(transit).map((problem) => `${direction}: ${problem}`) : []),
      ];
    }),
    ...expect(
      link.down.sentBytes >= receivedBytes,
      `the client received ${receivedBytes} bytes, but only ${link.down.sentBytes} came through the link`,
    ),
  ];
}

function transitProblems({ packets, least, mostMs, backToBack: run }: TransitEvidence): string[] {
  const aPacket = run && run.bytes / run.packets;
  return [
    ...expect(mostMs >= least.ms, `the slowest packet took ${mostMs} ms, the quickest ${least.ms}`),
    ...expect(least.bytes >= leastFrameBytes, `the quickest packet had only ${least.bytes} bytes`),
    ...expect(
      !run || (run.packets <= packets && aPacket! >= leastFrameBytes && aPacket! <= tolerance.frameBytes),
      `impossible: ${run?.packets} of ${packets} packets that waited for one another had ${run?.bytes} bytes`,
    ),
  ];
}

/**
 * Reports handshakes and windows that are missing without a reason. Each lost packet can hide at most one handshake, and a late answer can hide
 * the handshake that it belongs to. Without losses and late answers, every handshake, receive window and initcwnd must be visible.
 */
function hiddenProblems(
  { link: counters, packets }: Evidence,
  link: Link,
  extraMsOf: (host: string) => number,
): string[] {
  const { flows, quicFlows = [] } = packets;
  const gone = gonePackets({ link: counters });
  const isLate = (flow: FlowEvidence | QuicFlowEvidence) => isAnsweredLate(flow, packets, link, extraMsOf(flow.host));
  const isHidden = (flow: FlowEvidence | QuicFlowEvidence) => flow.handshakeMs === null && !isLate(flow);
  const used = flows.filter(({ server }) => server && server.sentSegments > 0); // other connections may still be opening
  const blind = [...used, ...quicFlows.filter(({ server }) => server)].filter(isHidden).length;
  const windowless = used.filter(
    (flow) => flow.receiveWindow === null || (flow.server?.initcwnd === null && !isLate(flow)),
  ).length;
  return [
    ...expect(blind <= gone, `${blind} handshakes were not fully captured, but the link lost only ${gone} packets`),
    ...expect(
      gone > 0 || windowless === 0,
      `${windowless} connections show no initcwnd or receive window, but the link lost no packet`,
    ),
  ];
}

/**
 * Checks that the load event comes after the page's last packet, and that the processor was busy for at least the time between them. Pages with
 * non-blocking or cancelled requests are skipped: their packets may come after the load event, and no packet shows which request it belongs to.
 */
function loadEventProblems(pageLoadMs: number, evidence: Evidence, protocol: Protocol): string[] {
  const { packets, processor } = evidence;
  const { synToRequestMs, requestToLastDataMs, requestToLastAckMs } = packets;
  if (synToRequestMs === null || requestToLastDataMs === null || requestToLastAckMs === null) return [];
  const { unanswered = [] } = evidence;
  if ([...requestsOf(evidence), ...unanswered].some(({ nonBlocking }) => nonBlocking)) return [];
  if (requestsOf(evidence).some(({ failed }) => failed)) return [];
  const lastEndMs = Math.max(...requestsOf(evidence).map(({ endMs }) => endMs ?? 0));
  const byPacketsMs = synToRequestMs + requestToLastDataMs;
  // If QUIC was not decrypted, the time of the last data is between the last datagram that surely has data and the last datagram of all.
  const latestMs = protocol.transport === "quic" ? synToRequestMs + requestToLastAckMs : byPacketsMs;
  const { labMs, otherMs, stealMs, waitMs } = processor;
  // Processor time is read twice, each time in whole ticks.
  const workMs = labMs + otherMs + stealMs + (waitMs ?? 0) + 2 * tickMs;
  const took = `its packets took ${byPacketsMs.toFixed(1)} ms`;
  // A browser that has moved to HTTP/3 may close its TCP connection. The server's answer to the close counts as data and may come last.
  const closed = usedFlows(packets.flows).some(({ server }) => server.congestion === null);
  const dataMs = protocol.transport === "quic" && closed ? 0 : byPacketsMs;
  return [
    ...expect(pageLoadMs >= dataMs - tolerance.earlyMs, `the page had loaded after ${pageLoadMs} ms; ${took}`),
    ...expect(
      pageLoadMs <= latestMs + workMs,
      `the page had loaded after ${pageLoadMs} ms; ${took}, the processor worked ${workMs} ms`,
    ),
    ...expect(
      lastEndMs >= dataMs - tolerance.earlyMs && lastEndMs <= latestMs + workMs,
      `the last request ended after ${lastEndMs} ms; ${took}, the processor worked ${workMs} ms`,
    ),
  ];
}

/** The load must fit into the observed time, and the observed time into the line's wall time. The CPU time used must not exceed that of all cores. */
function observedTimeProblems(pageLoadMs: number, evidence: Evidence, wallMs?: number, replays?: Replays): string[] {
  const { processor, recordedUntil } = evidence;
  const { cores, elapsedMs, labMs, otherMs, stealMs, labMemoryMiB } = processor;
  const usedMs = labMs + otherMs + stealMs;
  const problems: string[] = [];
  if (elapsedMs < Math.floor(pageLoadMs))
    problems.push(`it was observed for ${elapsedMs} ms, but took ${pageLoadMs} ms`);
  const lastMs = Math.max(pageLoadMs, ...requestsOf(evidence).map(({ endMs }) => endMs ?? 0));
  if (recordedUntil === "quiet" && elapsedMs < Math.floor(lastMs + quietMs))
    problems.push(`its network was quiet after ${lastMs + quietMs} ms, but it was observed for ${elapsedMs} ms`);
  if (wallMs !== undefined && wallMs < elapsedMs)
    problems.push(`its wall time is ${wallMs} ms, but the load took ${elapsedMs} ms`);
  if (usedMs > cores * (elapsedMs + 2 * tickMs))
    problems.push(`${usedMs} ms of CPU time were used on ${cores} cores in ${elapsedMs} ms`);
  // On the real clock a browser uses more than a tick of CPU time; a client that only fetches may use less. In a guest, CPU time may be 0.
  const onRealClock = labMemoryMiB !== null;
  if (labMs <= 0 && onRealClock && !replays) problems.push("the lab used no CPU time");
  return problems;
}
