import { median } from "simple-statistics";
import { defineAxis, hidden } from "./axis.ts";
import { isOverQuic, isWithoutTcp, mayUseBoth, usedFlows } from "./flows.ts";
import { provesQuicCongestion, refusesQuicCongestion } from "./quic-congestion.ts";
import { oneOf } from "./values.ts";

const controls = ["cubic", "cubic-no-hystart", "reno", "bbr", "abc0", "abc1", "abc2"] as const;
type Congestion = (typeof controls)[number];
const ownDefault = "cubic";
/** CUBIC that leaves slow start only at a loss. */
const withoutHystart = "cubic-no-hystart";
/** The most segments by which an ACK lets Reno's window grow in slow start, with byte counting (RFC 3465). */
const byteCounting: Partial<Record<Congestion, number>> = { abc0: 1, abc1: 1, abc2: 2 };

declare module "../schema/plan.ts" {
  interface AxisValues {
    congestion: Congestion;
  }
}

/**
 * Confirmed by the server's sockets while they are open (ss(8)), and for HyStart by the kernel's parameter. Where the client
 * delays ACKs, byte counting is also checked by how many segments follow an ACK of two segments. Over QUIC: axes/quic-congestion.ts.
 */
export const axis = defineAxis({
  name: "congestion",
  title: "the server's congestion control; over QUIC it can be set only if the server's software allows it",
  example: "cubic",
  follows: "thinkTime",
  field: "congestion",
  value: oneOf(controls),
  default: ownDefault,
  id: (congestion) => congestion,
  sets: (asked) => ({
    route: { server: asked === withoutHystart ? { congestion: "cubic", hystart: false } : { congestion: asked } },
  }),
  refuses: (asked, all, registries) =>
    isOverQuic(all, registries) ? refusesQuicCongestion(asked, all, registries) : null,
  proves(asked, all, evidence, registries) {
    if (isWithoutTcp(all, evidence, registries)) return provesQuicCongestion(asked, all, evidence, registries);
    const congestion = asked === withoutHystart ? "cubic" : asked;
    const seen = usedFlows(evidence.packets.flows);
    const problems = seen.flatMap(({ name, server }) =>
      server.congestion === null || server.congestion === congestion
        ? []
        : [`${name}: congestion control ${server.congestion} instead of ${congestion}`],
    );
    if (congestion === "cubic" && (evidence.hystart ?? true) !== (asked !== withoutHystart))
      problems.push(`CUBIC's HyStart is ${evidence.hystart ? "on" : "off"}, but ${asked} is configured`);
    const expected = byteCounting[asked];
    const grown = seen.flatMap(({ server }) => server.windowGrowth ?? []);
    // Unless ACKs are delayed, a Linux client's first ACKs arrive so early that the rest of the first flight looks like growth. Little growth
    // contradicts nothing: a window that the server does not fill does not grow (RFC 7661), and Nagle's algorithm may delay a response's end.
    const tells = expected && all.delayedAcks === "always" && grown.length > 0;
    if (tells && median(grown) > expected + 0.5)
      problems.push(`ACKs of two segments released ${median(grown)} extra; ${asked} releases at most ${expected}`);
    if (problems.length) return { contradicts: problems };
    if (seen.some(({ server }) => server.congestion)) return "confirmed";
    if (mayUseBoth(all, registries))
      return { notObservable: "the browser had moved to HTTP/3 and closed its TCP connections" };
    return all.keepAlive === "off"
      ? { notObservable: "the server's connections had ended before its sockets were read" }
      : hidden(evidence, "every connection had ended before its socket was read");
  },
});
