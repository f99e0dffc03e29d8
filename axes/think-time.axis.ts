import type { Evidence } from "../schema/evidence.ts";
import { sendingMs } from "../schema/link.ts";
import { tolerance } from "../schema/tolerances.ts";
import { defineAxis, hidden } from "./axis.ts";
import { usedFlows } from "./flows.ts";
import { linkOf } from "./link-values.ts";
import { quantity } from "./values.ts";

/** Timers of a server's program count whole milliseconds, and may begin within one. */
const timerMs = 1;

declare module "../schema/plan.ts" {
  interface AxisValues {
    thinkTime: number;
  }
}

/**
 * What a server waits before it answers a request, as for a database. In the clear packets show it: at the server by what
 * each connection's requests waited for their answers, median; at the client by what each request took at least.
 */
export const axis = defineAxis({
  name: "thinkTime",
  title: "what the server thinks before it answers each request",
  example: "200ms",
  follows: "server",
  field: "thinkTimeMs",
  value: quantity("thinkTimeMs"),
  default: 0,
  text: (ms) => `${ms}ms`,
  label: (ms) => `think time ${ms} ms`,
  id: (ms) => `think${ms}ms`,
  sets: (ms) => (ms === 0 ? {} : { server: { thinkTimeMs: ms } }),
  refuses(ms, { client, protocol }, { clients, protocols }) {
    if (ms === 0) return null;
    if (protocols[protocol]?.scheme !== "http")
      return `over ${protocol} requests are encrypted, and nothing shows how long each waited; HTTP in the clear is allowed`;
    return clients[client]?.replays?.pipelines
      ? `client ${client} asks again before it is answered, and nothing shows how long each request waited; 0ms is allowed`
      : null;
  },
  proves(ms, all, evidence, { clients, defaults, protocols }) {
    if (protocols[all.protocol]!.scheme !== "http")
      return { notObservable: "over TLS packets do not show which of them are requests" };
    if (clients[all.client]?.replays?.pipelines)
      return {
        notObservable:
          "of requests that are sent before the last one's answer, packets do not show how long each waited",
      };
    if (defaults.thinkTime === undefined) return { notObservable: "its lab's servers could not think yet" };
    const waits = waitsOf(evidence);
    const clean = waits.filter(({ isRepeated }) => !isRepeated);
    const problems = [
      ...clean.flatMap(({ name, turnMs }) =>
        turnMs >= ms - timerMs && turnMs <= ms + tolerance.serverMs
          ? []
          : [`${name}: its server answered after ${turnMs} ms instead of ${ms}`],
      ),
      ...(ms > 0 ? tooQuick(ms, evidence, linkOf(all)) : []),
    ];
    if (problems.length) return { contradicts: problems };
    const answersAtOnce = ms === 0 && waits.some(({ turnMs }) => turnMs <= tolerance.serverMs);
    return clean.length || answersAtOnce
      ? "confirmed"
      : hidden(evidence, "no request was seen with its answer on a connection that repeated nothing");
  },
});

/** Where segments are sent again, what follows a request may be a part of an earlier answer, and a request may be there twice. */
const waitsOf = ({ packets: { flows } }: Evidence) =>
  usedFlows(flows).flatMap(({ name, upRetransmittedSegments, server: { turnMs, retransmittedSegments } }) =>
    turnMs == null ? [] : [{ name, turnMs, isRepeated: upRetransmittedSegments + retransmittedSegments > 0 }],
  );

/** A request is under way for a round trip, and waits; then come its bytes. */
function tooQuick(ms: number, { connections }: Evidence, link: ReturnType<typeof linkOf>): string[] {
  return connections.flatMap(({ requests }) =>
    requests.flatMap(({ path, bytes, startMs, endMs }) => {
      const leastMs = link.rttMs + sendingMs(link, "down", bytes) + ms - timerMs;
      return endMs === null || endMs - startMs >= leastMs - tolerance.earlyMs
        ? []
        : [
            `${path} took ${(endMs - startMs).toFixed(1)} ms; with ${ms} ms of thinking it takes ${leastMs.toFixed(1)} at least`,
          ];
    }),
  );
}
