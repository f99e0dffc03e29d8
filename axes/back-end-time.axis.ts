import { fullSegmentBytes } from "../schema/link.ts";
import type { ConditionValues } from "../schema/plan.ts";
import { entryOf, type Registries } from "../schema/registries.ts";
import { firstBurstBytes } from "../schema/settings.ts";
import { tolerance } from "../schema/tolerances.ts";
import { defineAxis, hidden, isInconclusive, verdictOf } from "./axis.ts";
import { isDisordered } from "./disorder.ts";
import { usedFlows } from "./flows.ts";
import { linkOf, outlastsSynTimer } from "./link-values.ts";
import { quantity } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    backEndTime: number;
  }
}

/** The number of segments in the first burst (the headers take one of them), plus the segment after the burst. */
const burstAndNext = Math.ceil(firstBurstBytes / fullSegmentBytes) + 2;

/** Whether the initial windows allow a server to send the rest of a response before the first burst is acknowledged. */
function sendsOnAtOnce(all: ConditionValues, registries: Registries): boolean {
  const { initcwnd, initrwnd, congestion } = all;
  const hasRoom = typeof initcwnd === "number" && Math.min(initcwnd, initrwnd) >= burstAndNext;
  return hasRoom && congestion !== "bbr" && !outlastsSynTimer(linkOf(all, registries));
}

/**
 * How long a server waits, after the first burst of each response, for the back end that generates the rest (CCR 2010, figure 4).
 * Observable only without TLS: then packets show where the first burst of a connection's first response ends, and when the rest follows.
 */
export const axis = defineAxis({
  name: "backEndTime",
  title: "how long the server waits after the first 4 KB of each response before it sends the rest",
  example: "200ms",
  follows: "server",
  field: "backEndTimeMs",
  value: quantity("thinkTimeMs"),
  default: 0,
  unknownBefore: "the lab had back-end times",
  text: (ms) => `${ms}ms`,
  label: (ms) => `back-end time ${ms} ms`,
  id: (ms) => `back-end${ms}ms`,
  sets: (ms) => (ms === 0 ? {} : { server: { backEndTimeMs: ms } }),
  needs: (ms) => (ms === 0 ? null : "delays"),
  refuses: (ms, { protocol }, { protocols }) =>
    ms > 0 && protocols[protocol]?.scheme !== "http"
      ? `over ${protocol} responses are encrypted, and nothing shows where their first 4 KB end; HTTP in the clear is allowed`
      : null,
  proves(ms, all, evidence, registries) {
    if (entryOf(registries.protocols, "protocols", all.protocol).scheme !== "http")
      return { notObservable: "over TLS, packets do not show where a response's first burst ends" };
    const flows = usedFlows(evidence.packets.flows);
    const seen = flows.flatMap(({ name, handshakeMs, server: { firstBurstToRestMs, retransmittedSegments } }) => {
      // If a SYN or SYN-ACK was retransmitted, the initial window may be one segment (RFC 5681, section 3.1), and the rest waits for an ACK.
      const isUsable = handshakeMs !== null && retransmittedSegments === 0;
      return isUsable && firstBurstToRestMs !== undefined ? [{ name, waitMs: firstBurstToRestMs }] : [];
    });
    const atOnce = sendsOnAtOnce(all, registries);
    const problems = seen.flatMap(({ name, waitMs }) =>
      waitMs < ms - tolerance.timerMs || (atOnce && waitMs > ms + tolerance.serverMs)
        ? [`${name}: its server sent the rest ${waitMs.toFixed(1)} ms after the first burst; ${ms} ms is configured`]
        : [],
    );
    if (problems.length) return verdictOf(problems);
    if (!atOnce && ms === 0)
      return { notObservable: "the rest may wait until the first burst is acknowledged, or for BBR's pacing" };
    if (seen.length) return "confirmed";
    // Without a loss, retransmissions are no contradiction: at low rates Linux may retransmit although nothing is lost.
    const verdict = hidden(evidence, "no response longer than the first burst came without a retransmission");
    const isAnySentTwice = flows.some(
      ({ handshakeMs, server }) => handshakeMs === null || server.retransmittedSegments > 0,
    );
    if (isAnySentTwice && isInconclusive(verdict))
      return isDisordered(all, evidence)
        ? {
            notObservable:
              "jitter reordered packets and so caused retransmissions, which hide where the first burst ends",
          }
        : verdict;
    return { notObservable: "no connection's first response is longer than the first burst and was sent only once" };
  },
});
