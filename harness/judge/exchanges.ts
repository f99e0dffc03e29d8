/** Whether what captures say of answers in the clear can have been: at the client by request, at the server from first byte to last ACK. */
import { usedFlows } from "../../axes/flows.ts";
import type { Evidence } from "../../schema/evidence.ts";
import { sendingMs } from "../../schema/link.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Replays } from "../../schema/registries.ts";
import { tolerance } from "../../schema/tolerances.ts";
import { requestsOf, sum } from "./requests.ts";

/** @param replays how the client asks, where it is no browser @param wallMs of the load's line, where there is one yet */
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
 * Each request has its exchange, which takes a round trip and its bytes over the rate, no longer than the client says, and one after
 * the other over its connection.
 */
function requestTimeProblems({ connections, packets }: Evidence, { settings: { link } }: Condition): string[] {
  const { flows, requestToLastDataMs } = packets;
  const exchanges = flows.flatMap(({ exchangesMs = [] }) => exchangesMs);
  if (exchanges.length === 0) return [];
  const requests = requestsOf({ connections });
  const bySize = largestFirst(requests.map(({ startMs, endMs }) => (endMs ?? Number.POSITIVE_INFINITY) - startMs));
  // Whichever answers they are: as many are to take long as are large.
  const leastMs = largestFirst(requests.map(({ bytes }) => link.rttMs + sendingMs(link, "down", bytes)));
  const longest = largestFirst(exchanges).find((ms, i) => ms > (bySize[i] ?? 0) + tolerance.earlyMs);
  return [
    ...(exchanges.length === requests.length
      ? []
      : [`${requests.length} requests by the client, ${exchanges.length} by its capture`]),
    ...largestFirst(exchanges).flatMap((ms, i) => {
      const least = leastMs[i] ?? link.rttMs;
      return ms >= least - tolerance.earlyMs
        ? []
        : [`an answer took ${ms} ms by its packets; as many as are so large take ${least.toFixed(1)} at least`];
    }),
    ...(longest === undefined ? [] : [`a request took ${longest} ms by its packets, and by the client none so long`]),
    ...flows
      .filter(({ exchangesMs = [] }) => sum(exchangesMs) > (requestToLastDataMs ?? 0) + tolerance.earlyMs)
      .map(
        ({ clientPort, host }) => `connection ${clientPort} to ${host}: its requests took longer than all the load's`,
      ),
  ];
}

/**
 * The server's span begins when a request has come and ends when an ACK has: later than the client's by what those were under way.
 * Where a request was lost on its way, nothing says when it came. Where the last ACK was lost, the client sends it once more when
 * the server has sent again what it was for, which its line's time alone bounds.
 */
function answerTimeProblems({ packets, link }: Evidence, wallMs = Number.POSITIVE_INFINITY): string[] {
  const { flows, path, requestToLastAckMs } = packets;
  const mostUpMs = path.up.transit?.mostMs ?? Number.POSITIVE_INFINITY;
  if (requestToLastAckMs === null) return [];
  const losesAcks = link.up.lostPackets + link.up.queueDroppedPackets > 0;
  const used = usedFlows(flows);
  return used.flatMap(({ name, upRetransmittedSegments: repeated, server }) => {
    const { firstDataToLastAckMs: tookMs, turnMs, retransmittedSegments } = server;
    if (tookMs == null) return [];
    const isAll = used.length === 1 && repeated === 0;
    const leastMs = isAll ? requestToLastAckMs - mostUpMs - (turnMs ?? 0) - tolerance.earlyMs : 0;
    const acknowledgesTwice = losesAcks && retransmittedSegments > 0;
    const mostMs = acknowledgesTwice ? wallMs : requestToLastAckMs + mostUpMs + tolerance.earlyMs;
    return tookMs >= leastMs && tookMs <= mostMs
      ? []
      : [
          `${name}: ${tookMs} ms from its first answer to the last ACK at the server, ${requestToLastAckMs} at the client`,
        ];
  });
}
