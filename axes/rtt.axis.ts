import { directions } from "../schema/link.ts";
import { tolerance } from "../schema/tolerances.ts";
import { defineAxis, hidden, isInconclusive, type Verdict, verdictOf } from "./axis.ts";
import { allOf, provesDelay, provesDirection } from "./direction.ts";
import { isOverQuic } from "./flows.ts";
import { linkOf, outlastsSynTimer, serialisationMs } from "./link-values.ts";
import { quantity } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    rtt: number;
  }
}

/** Proven by the quickest handshake and the quickest packet of each direction (others may stand in a queue), and by the shaper's kernel. */
export const axis = defineAxis({
  name: "rtt",
  title: "round-trip time, half of it in each direction",
  example: "100ms",
  follows: "up",
  field: "rttMs",
  value: quantity("rttMs"),
  text: (ms) => `${ms}ms`,
  sets: (ms) => ({ link: { rttMs: ms } }),
  proves(rttMs, all, evidence, registries) {
    const link = linkOf(all);
    const { flows, quicFlows = [] } = evidence.packets;
    const handshakes = [...flows, ...quicFlows].flatMap(({ handshakeMs }) => handshakeMs ?? []);
    const quickestMs = Math.min(...handshakes);
    const transport = isOverQuic(all, registries) ? "quic" : "tcp";
    const latestMs = rttMs + 2 * (link.jitterMs ?? 0) + serialisationMs(link, transport) + tolerance.handshakeMs;
    const inTime = quickestMs >= rttMs - tolerance.earlyMs && quickestMs <= latestMs;
    // Of a SYN that was sent twice nothing says which was answered.
    const byHandshakes: Verdict = outlastsSynTimer(link)
      ? "confirmed"
      : handshakes.length === 0
        ? hidden(evidence, "no handshake was seen whole")
        : verdictOf(inTime ? [] : [`the quickest handshake took ${quickestMs} ms; the RTT is ${rttMs} ms`]);
    const byDirection = directions.flatMap((direction) => [
      provesDirection(direction, evidence.link[direction], "delayMs", rttMs / 2),
      provesDelay(direction, evidence, link),
    ]);
    // Handshakes that chance hid leave the other packets to show it.
    return allOf(...byDirection, ...(isInconclusive(byHandshakes) ? [] : [byHandshakes]));
  },
});
