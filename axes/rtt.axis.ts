import { tolerance } from "../schema/tolerances.ts";
import { defineAxis, hidden, type Verdict } from "./axis.ts";
import { firstOf, provesDirection } from "./direction.ts";
import { linkOf, serialisationMs } from "./link-values.ts";
import { quantity } from "./values.ts";

/** Proven by the quickest handshake of the load (others may stand in a queue), and by the shaper's kernel. */
export const axis = defineAxis<number>({
  name: "rtt",
  title: "round-trip time, half of it in each direction",
  example: "100ms",
  place: 43,
  field: "rttMs",
  value: quantity("rttMs"),
  text: (ms) => `${ms}ms`,
  sets: (ms) => ({ link: { rttMs: ms } }),
  proves(rttMs, all, evidence) {
    const {
      packets: { flows },
      link,
    } = evidence;
    const handshakes = flows.flatMap(({ handshakeMs }) => handshakeMs ?? []);
    const quickestMs = Math.min(...handshakes);
    const latestMs = rttMs + serialisationMs(linkOf(all)) + tolerance.handshakeMs;
    if (handshakes.length > 0 && (quickestMs < rttMs - tolerance.earlyMs || quickestMs > latestMs))
      return { contradicts: [`the quickest handshake took ${quickestMs} ms; the RTT is ${rttMs} ms`] };
    const seen: Verdict = handshakes.length > 0 ? "held" : hidden(evidence, "no handshake was seen whole");
    const [down, up] = [link.down, link.up];
    if (down.is && up.is)
      return firstOf(
        provesDirection("down", down, "delayMs", rttMs / 2),
        provesDirection("up", up, "delayMs", rttMs / 2),
        seen,
      );
    return seen;
  },
});
