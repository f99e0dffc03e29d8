import { sum } from "simple-statistics";
import type { Evidence } from "../schema/evidence.ts";
import { directions, fullQueueMs, type Link } from "../schema/link.ts";
import type { Protocol } from "../schema/protocol.ts";
import { tolerance } from "../schema/tolerances.ts";
import { defineAxis, hidden, isInconclusive, type Verdict, verdictOf } from "./axis.ts";
import { allOf, provesDelay, provesDirection } from "./direction.ts";
import { extraRttMsOf } from "./extra-rtt.ts";
import { isOverQuic } from "./flows.ts";
import { isAnsweredLate, openedMs } from "./late-answers.ts";
import { linkOf, longestSerialisationMs } from "./link-values.ts";
import { quantity } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    rtt: number;
  }
}

/** Confirmed by the shaper's kernel, the quickest handshake and each direction's quickest packet; other packets may have queued. */
export const axis = defineAxis({
  name: "rtt",
  shownByAnyLoad: true,
  title: "round-trip time, half of it in each direction",
  example: "100ms",
  follows: "up",
  field: "rttMs",
  value: quantity("rttMs"),
  text: (ms) => `${ms}ms`,
  sets: (ms) => ({ link: { rttMs: ms } }),
  proves(rttMs, all, evidence, registries) {
    const link = linkOf(all, registries);
    const transport = isOverQuic(all, registries) ? "quic" : "tcp";
    const byDirection = directions.flatMap((direction) => [
      provesDirection(direction, evidence.link[direction], "delayMs", rttMs / 2),
      provesDelay(direction, evidence, link),
    ]);
    const byHandshakes = provesHandshakes(evidence, link, transport, extraRttMsOf(all, registries));
    // Where losses hid the handshakes, the other packets decide.
    return allOf(...byDirection, ...(isInconclusive(byHandshakes) ? [] : [byHandshakes]));
  },
});

/** @param extraMsOf how much longer a round trip to a host takes */
function provesHandshakes(
  evidence: Evidence,
  link: Link,
  transport: Protocol["transport"],
  extraMsOf: (host: string) => number,
): Verdict {
  const { packets } = evidence;
  const all = [...packets.flows, ...(packets.quicFlows ?? [])];
  const times = all.flatMap((flow) => {
    const extraMs = extraMsOf(flow.host);
    const tookMs = openedMs(flow, packets, link, extraMs);
    return tookMs === null ? [] : [tookMs - extraMs];
  });
  // Older records lack the time of a late answer. For them, it is enough that the answer was late.
  if (!times.length && all.some((flow) => isAnsweredLate(flow, packets, link, extraMsOf(flow.host))))
    return "confirmed";
  const quickestMs = Math.min(...times);
  // Flows beside the page may fill the queues before its first packet comes.
  const queuedMs = evidence.background ? sum(directions.map((direction) => fullQueueMs(link, direction))) : 0;
  const latestMs =
    link.rttMs + 2 * (link.jitterMs ?? 0) + longestSerialisationMs(link, transport) + queuedMs + tolerance.handshakeMs;
  const took = `the quickest handshake took ${quickestMs} ms; the RTT is ${link.rttMs} ms`;
  if (quickestMs < link.rttMs - tolerance.earlyMs) return verdictOf([took]);
  if (quickestMs <= latestMs) return "confirmed";
  // Either the first handshake lost a packet and the others queued behind the page's data, or there was no handshake.
  return hidden(evidence, times.length ? took : "no handshake was fully captured");
}
