import type { Evidence } from "../schema/evidence.ts";
import { sendingMs } from "../schema/link.ts";
import { entryOf } from "../schema/registries.ts";
import { tolerance } from "../schema/tolerances.ts";
import { defineAxis, hidden } from "./axis.ts";
import { isDisordered } from "./disorder.ts";
import { usedFlows } from "./flows.ts";
import { linkOf } from "./link-values.ts";
import { quantity } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    thinkTime: number;
  }
}

/** Observable only without TLS: a server's packets show the median wait of each connection's requests; the client's times show that no response came sooner. */
export const axis = defineAxis({
  name: "thinkTime",
  title: "how long the server waits before each response",
  example: "200ms",
  follows: "server",
  field: "thinkTimeMs",
  value: quantity("thinkTimeMs"),
  default: 0,
  unknownBefore: "the lab had think times",
  text: (ms) => `${ms}ms`,
  label: (ms) => `think time ${ms} ms`,
  id: (ms) => `think${ms}ms`,
  sets: (ms) => (ms === 0 ? {} : { server: { thinkTimeMs: ms } }),
  needs: (ms) => (ms === 0 ? null : "delays"),
  refuses(ms, { client, protocol }, { clients, protocols }) {
    if (ms === 0) return null;
    if (protocols[protocol]?.scheme !== "http")
      return `over ${protocol} requests are encrypted, and nothing shows how long each waited; HTTP in the clear is allowed`;
    return clients[client]?.replays?.pipelines
      ? `client ${client} pipelines requests, and nothing shows how long each request waited; 0ms is allowed`
      : null;
  },
  proves(ms, all, evidence, registries) {
    const { clients, protocols } = registries;
    if (entryOf(protocols, "protocols", all.protocol).scheme !== "http")
      return { notObservable: "over TLS, packets do not show which of them are requests" };
    if (clients[all.client]?.replays?.pipelines)
      return {
        notObservable: "packets do not show how long each pipelined request waited",
      };
    const waits = waitsOf(evidence);
    const clean = waits.filter(({ isRepeated }) => !isRepeated);
    const problems = [
      ...clean.flatMap(({ name, turnMs }) =>
        turnMs >= ms - tolerance.timerMs && turnMs <= ms + tolerance.serverMs
          ? []
          : [`${name}: its server answered after ${turnMs} ms instead of ${ms}`],
      ),
      ...(ms > 0 ? tooQuick(ms, evidence, linkOf(all, registries)) : []),
    ];
    if (problems.length) return { contradicts: problems };
    const answersAtOnce = ms === 0 && waits.some(({ turnMs }) => turnMs <= tolerance.serverMs);
    if (clean.length || answersAtOnce) return "confirmed";
    return isDisordered(all, evidence)
      ? {
          notObservable:
            "jitter reordered packets: each connection retransmitted some, and a response may belong to an earlier request",
        }
      : hidden(evidence, "no request was seen with its response on a connection without retransmissions");
  },
});

/** With retransmissions, a packet after a request may belong to an earlier response, and a request may appear twice. */
const waitsOf = ({ packets: { flows } }: Evidence) =>
  usedFlows(flows).flatMap(({ name, upRetransmittedSegments, server: { turnMs, retransmittedSegments } }) =>
    turnMs == null ? [] : [{ name, turnMs, isRepeated: upRetransmittedSegments + retransmittedSegments > 0 }],
  );

/** A request takes at least a round trip, the think time, and the transmission of its response. */
function tooQuick(ms: number, { connections }: Evidence, link: ReturnType<typeof linkOf>): string[] {
  return connections.flatMap(({ requests }) =>
    requests.flatMap(({ path, bytes, startMs, endMs }) => {
      const leastMs = link.rttMs + sendingMs(link, "down", bytes) + ms - tolerance.timerMs;
      return endMs === null || endMs - startMs >= leastMs - tolerance.earlyMs
        ? []
        : [
            `${path} took ${(endMs - startMs).toFixed(1)} ms; with ${ms} ms of think time it takes at least ${leastMs.toFixed(1)} ms`,
          ];
    }),
  );
}
