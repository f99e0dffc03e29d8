/** Checks response times from captures without TLS: each request's time at the client, and the time from first byte to last ACK at the server. */
import { socketsOf, usedFlows } from "../../../axes/flows.ts";
import { gonePackets } from "../../../axes/gone.ts";
import type { Evidence } from "../../../schema/evidence.ts";
import { expect } from "../../../schema/expect.ts";
import { sendingMs } from "../../../schema/link.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { Replays } from "../../../schema/registries.ts";
import { tolerance } from "../../../schema/tolerances.ts";
import { requestsOf, sum } from "./requests.ts";

/** @param replays how the client sends requests, if it is not a browser @param wallMs the line's wall time; undefined before it is written */
export const exchangeProblems = (
  evidence: Evidence,
  condition: Condition,
  replays?: Replays,
  wallMs?: number,
): string[] => [
  ...(replays?.pipelines ? [] : requestTimeProblems(evidence, condition)),
  ...answerTimeProblems(evidence, wallMs),
];

const largestFirst = (numbers: number[]) => numbers.toSorted((a, b) => b - a);

/**
 * Checks that the capture has one exchange for each request. An exchange takes at least a round trip plus the transmission time, and at most the
 * time that the client reports. A connection's exchanges follow one another, so together they take no longer than the load.
 */
function requestTimeProblems(
  { connections, unanswered, packets }: Evidence,
  { settings: { link } }: Condition,
): string[] {
  const { flows, requestToLastDataMs } = packets;
  const exchanges = flows.flatMap(({ exchangesMs = [] }) => exchangesMs);
  if (exchanges.length === 0) return [];
  const requests = requestsOf({ connections });
  const sockets = socketsOf({ unanswered });
  // The client does not report when a WebSocket ended, nor how long the response to a cancelled request continued.
  const bySize = largestFirst([
    ...requests.map(({ startMs, endMs, failed }) => ((failed ? null : endMs) ?? Number.POSITIVE_INFINITY) - startMs),
    ...Array.from({ length: sockets }, () => Number.POSITIVE_INFINITY),
  ]);
  // Captures do not show which response is which, so both lists are sorted from large to small and compared item by item.
  const leastMs = largestFirst(requests.map(({ bytes }) => link.rttMs + sendingMs(link, "down", bytes)));
  const longest = largestFirst(exchanges).find((ms, i) => ms > (bySize[i] ?? 0) + tolerance.earlyMs);
  return [
    ...expect(
      exchanges.length >= requests.length && exchanges.length <= requests.length + sockets,
      `the client reports ${requests.length} requests, its capture shows ${exchanges.length}`,
    ),
    ...largestFirst(exchanges).flatMap((ms, i) => {
      const least = leastMs[i] ?? link.rttMs;
      return expect(
        ms >= least - tolerance.earlyMs,
        `a response took ${ms} ms by its packets; one of its size takes at least ${least.toFixed(1)} ms`,
      );
    }),
    ...expect(
      longest === undefined,
      `a request took ${longest} ms by its packets, but the client reports no request that long`,
    ),
    ...flows
      .filter(({ exchangesMs = [] }) => sum(exchangesMs) > (requestToLastDataMs ?? 0) + tolerance.earlyMs)
      .map(
        ({ clientPort, host }) => `connection ${clientPort} to ${host}: its requests took longer than the whole load`,
      ),
  ];
}

/**
 * Compares the times until the last ACK at the server and at the client. They differ by at most the one-way delays of the request and of the
 * last ACK. If the request was lost, its arrival is unknown, and there is no lower bound. If the last ACK was lost, the client repeats it after
 * a retransmission, and only the load's wall time is an upper bound.
 */
function answerTimeProblems({ packets, link }: Evidence, wallMs = Number.POSITIVE_INFINITY): string[] {
  const { flows, path, requestToLastAckMs } = packets;
  const mostUpMs = path.up.transit?.mostMs ?? Number.POSITIVE_INFINITY;
  if (requestToLastAckMs === null) return [];
  const losesAcks = gonePackets({ link }, "up") > 0;
  const used = usedFlows(flows);
  return used.flatMap(({ name, upRetransmittedSegments: repeated, server }) => {
    const { firstDataToLastAckMs: tookMs, turnMs, retransmittedSegments } = server;
    if (tookMs == null) return [];
    const isAll = used.length === 1 && repeated === 0;
    const leastMs = isAll ? requestToLastAckMs - mostUpMs - (turnMs ?? 0) - tolerance.earlyMs : 0;
    const acknowledgesTwice = losesAcks && retransmittedSegments > 0;
    const mostMs = acknowledgesTwice ? wallMs : requestToLastAckMs + mostUpMs + tolerance.earlyMs;
    return expect(
      tookMs >= leastMs && tookMs <= mostMs,
      `${name}: from first response to last ACK it took ${tookMs} ms at the server, but ${requestToLastAckMs} ms at the client`,
    );
  });
}
