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

/** Confirmed by the shaper's kernel, the quickest handshake and each direction's quickest packet; others may have queued. */
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
    const took = `the quickest handshake took ${quickestMs} ms; the RTT is ${rttMs} ms`;
    // Nothing shows which of two SYNs a SYN/ACK responds to.
    const byHandshakes: Verdict = outlastsSynTimer(link)
      ? "confirmed"
      : quickestMs < rttMs - tolerance.earlyMs
        ? verdictOf([took])
        : quickestMs > latestMs // the first one lost a packet, and the others waited behind the page's data; or there was none
          ? hidden(evidence, handshakes.length ? took : "no handshake was seen whole")
          : "confirmed";
    const byDirection = directions.flatMap((direction) => [
      provesDirection(direction, evidence.link[direction], "delayMs", rttMs / 2),
      provesDelay(direction, evidence, link),
    ]);
    // Where losses hid the handshakes, the other packets decide.
    return allOf(...byDirection, ...(isInconclusive(byHandshakes) ? [] : [byHandshakes]));
  },
});
