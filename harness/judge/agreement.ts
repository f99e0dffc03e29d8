/** Whether a load's evidence agrees with itself: what client, captures, shaper and processor each say of the same thing. */
import type { ConnectionEvidence, Evidence } from "../../schema/evidence.ts";
import { directions, packetMs, rateOf } from "../../schema/link.ts";
import type { Condition } from "../../schema/plan.ts";
import { tolerance } from "../../schema/tolerances.ts";

/** Ethernet, IPv4 and TCP headers without options: no segment is shorter. */
const leastFrameBytes = 54;
/** The kernel counts processor time in ticks, at each of two readings. */
const tickMs = 10;

/** What does not agree, in words. @param wallMs of its line, where there is one yet */
export function disagreements(pageLoadMs: number, evidence: Evidence, condition: Condition, wallMs?: number): string[] {
  return [
    ...requestProblems(pageLoadMs, evidence, condition),
    ...timingProblems(evidence, condition),
    ...counterProblems(evidence),
    ...segmentProblems(evidence),
    ...packetTimeProblems(pageLoadMs, evidence, condition),
    ...processorProblems(pageLoadMs, evidence, wallMs),
  ];
}

const requestsOf = ({ connections }: Pick<Evidence, "connections">) =>
  connections.flatMap(({ requests }: ConnectionEvidence) => requests);
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

/** Each request ends after it began, a round trip later at least, and all of them before the load event. */
function requestProblems(pageLoadMs: number, evidence: Evidence, { settings: { link } }: Condition): string[] {
  const requests = requestsOf(evidence);
  const bytes = sum(requests.map((request) => request.bytes));
  return [
    ...requests.flatMap(({ path, startMs, endMs }) => {
      if (endMs === null) return [`the last byte of ${path} never came`];
      if (endMs > pageLoadMs + tolerance.earlyMs)
        return [`${path} ended after ${endMs} ms, and the page had loaded after ${pageLoadMs}`];
      const tookMs = endMs - startMs;
      if (startMs >= 0 && tookMs >= link.rttMs - tolerance.earlyMs) return [];
      return [`${path} took ${tookMs.toFixed(1)} ms from ${startMs}; a round trip takes ${link.rttMs}`];
    }),
    ...(requests.every(({ startMs }) => startMs !== 0) ? ["no request is the first"] : []),
    ...(bytes === evidence.receivedBytes
      ? []
      : [`its requests received ${bytes} bytes, the client says ${evidence.receivedBytes}`]),
  ];
}

/** Navigation Timing's moments are in order, two round trips are in a connection with TLS 1.3, and one in an answer. */
function timingProblems({ timing }: Evidence, { settings: { link } }: Condition): string[] {
  const order = [
    "connectStart",
    "connectEnd",
    "requestStart",
    "responseStart",
    "responseEnd",
    "domContentLoadedEventStart",
    "loadEventStart",
  ];
  const at = (name: string) => timing[name] ?? Number.NaN;
  const least: Record<string, number> = { connectEnd: 2 * link.rttMs, responseStart: link.rttMs };
  return order.slice(1).flatMap((name, i) => {
    const before = order[i]!;
    const tookMs = at(name) - at(before);
    return tookMs >= (least[name] ?? 0) - tolerance.earlyMs
      ? []
      : [`from ${before} (${at(before)} ms) to ${name} (${at(name)} ms) it takes ${least[name] ?? 0} ms at least`];
  });
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
      ];
    }),
    ...(link.down.sentBytes >= receivedBytes
      ? []
      : [`the client received ${receivedBytes} bytes, and ${link.down.sentBytes} came through the link`]),
  ];
}

/** What servers sent is enough for what the client received, and what was lost of it was sent again. */
function segmentProblems({
  connections,
  link: { down },
  packets: { flows, path, largestFrameBytes },
}: Evidence): string[] {
  const used = flows.flatMap(({ host, server }) => (server ? [{ host, ...server }] : []));
  const sent = sum(used.map(({ sentSegments }) => sentSegments));
  const repeated = sum(used.map(({ retransmittedSegments }) => retransmittedSegments));
  const others = path.down.sentPackets.atMost - sent; // acknowledgments, SYN/ACK, FIN
  const gone = down.lostPackets + down.queueDroppedPackets;
  const ports = flows.map(({ host, clientPort }) => `${clientPort} to ${host}`);
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
    ...used.flatMap(({ host, sentSegments, retransmittedSegments, firstFlightSegments }) =>
      Math.max(retransmittedSegments, firstFlightSegments) <= sentSegments
        ? []
        : [
            `${host} sent ${sentSegments} segments, ${firstFlightSegments} of them at first and ${retransmittedSegments} again`,
          ],
    ),
    ...(new Set(ports).size === ports.length ? [] : ["two connections have the same ends"]),
  ];
}

/**
 * The load event comes after the first SYN, and after all the page's packets; what is before the one and after the other is
 * the client's own work, for which it needs a processor.
 */
function packetTimeProblems(
  pageLoadMs: number,
  { packets: { synToRequestMs, requestToLastDataMs, path }, link: counters, processor }: Evidence,
  { settings: { link } }: Condition,
): string[] {
  if (synToRequestMs === null || requestToLastDataMs === null) return [];
  const byPacketsMs = synToRequestMs + requestToLastDataMs;
  const { labMs, otherMs, stealMs, waitMs } = processor;
  const workMs = labMs + otherMs + stealMs + (waitMs ?? 0) + 2 * tickMs;
  return [
    ...(pageLoadMs >= byPacketsMs - tolerance.earlyMs
      ? []
      : [`the page had loaded after ${pageLoadMs} ms; its packets took ${byPacketsMs.toFixed(1)}`]),
    ...(pageLoadMs <= byPacketsMs + workMs
      ? []
      : [
          `the page had loaded after ${pageLoadMs} ms; its packets took ${byPacketsMs.toFixed(1)}, the processor ${workMs}`,
        ]),
    ...(synToRequestMs >= 2 * link.rttMs - tolerance.earlyMs
      ? []
      : [`the first request came ${synToRequestMs} ms after the first SYN; TCP and TLS take two round trips`]),
    ...directions.flatMap((direction) => {
      const leastMs = packetMs(counters[direction].sentBytes, rateOf(link, direction));
      const { transit } = path[direction];
      const problems = transit && transit.mostMs > processor.elapsedMs ? [`a packet took ${transit.mostMs} ms`] : [];
      if (leastMs > processor.elapsedMs + link.rttMs)
        problems.push(`${counters[direction].sentBytes} bytes take ${leastMs.toFixed(0)} ms`);
      return problems.map((problem) => `${direction}: ${problem}, the whole load ${processor.elapsedMs}`);
    }),
  ];
}

/** The load lies within what was watched, and that within the line's time; nobody used more than there was. */
function processorProblems(pageLoadMs: number, { processor }: Evidence, wallMs?: number): string[] {
  const { cores, elapsedMs, labMs, otherMs, stealMs } = processor;
  const usedMs = labMs + otherMs + stealMs;
  const problems: string[] = [];
  if (elapsedMs < Math.floor(pageLoadMs)) problems.push(`it was watched for ${elapsedMs} ms, and took ${pageLoadMs}`);
  if (wallMs !== undefined && wallMs < elapsedMs) problems.push(`its line took ${wallMs} ms, the load ${elapsedMs}`);
  if (usedMs > cores * (elapsedMs + 2 * tickMs)) problems.push(`${usedMs} ms of ${cores} cores in ${elapsedMs} ms`);
  if (labMs <= 0) problems.push("the lab used no processor");
  return problems;
}
