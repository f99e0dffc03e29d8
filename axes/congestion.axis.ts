import { median } from "simple-statistics";
import { z } from "zod";
import { defineAxis, hidden } from "./axis.ts";
import { isOverQuic, onlyOverTcp, usedFlows } from "./flows.ts";

const controls = ["cubic", "cubic-no-hystart", "reno", "bbr", "abc0", "abc1", "abc2"] as const;
type Congestion = (typeof controls)[number];
const ownDefault = "cubic";
/** CUBIC that leaves slow start at a loss alone. */
const withoutHystart = "cubic-no-hystart";
/** Reno that counts bytes in slow start (RFC 3465), and the most segments that its window grows by for each ACK. */
const byteCounting: Partial<Record<Congestion, number>> = { abc0: 1, abc1: 1, abc2: 2 };
const overTcp = onlyOverTcp(ownDefault, "congestion control");

declare module "../schema/plan.ts" {
  interface AxisValues {
    congestion: Congestion;
  }
}

/**
 * Proven by the server's sockets, while they are open (ss(8)); HyStart by its kernel's parameter, byte counting by what ACKs of
 * two segments let out too, where the client's are delayed.
 */
export const axis = defineAxis({
  name: "congestion",
  title: "the server's TCP congestion control",
  example: "cubic",
  follows: "thinkTime",
  field: "congestion",
  value: z.enum(controls),
  default: ownDefault,
  id: (congestion) => congestion,
  sets: (asked) => ({
    route: { server: asked === withoutHystart ? { congestion: "cubic", hystart: false } : { congestion: asked } },
  }),
  refuses: overTcp.refuses,
  proves(asked, all, evidence, registries) {
    const congestion = asked === withoutHystart ? "cubic" : asked;
    if (isOverQuic(all, registries)) return overTcp.notObservable;
    const seen = usedFlows(evidence.packets.flows);
    const problems = seen.flatMap(({ name, server }) =>
      server.congestion === null || server.congestion === congestion
        ? []
        : [`${name}: congestion control ${server.congestion} instead of ${congestion}`],
    );
    if (congestion === "cubic" && (evidence.hystart ?? true) !== (asked !== withoutHystart))
      problems.push(`CUBIC's HyStart is ${evidence.hystart ? "on" : "off"}, and ${asked} was asked for`);
    const expected = byteCounting[asked];
    const grown = seen.flatMap(({ server }) => server.windowGrowth ?? []);
    // Linux's own first ACKs come so soon that what is left of a first flight counts as growth. Less is no sign anywhere: a
    // window does not grow that its server does not fill (RFC 7661), and an answer's end may wait (Nagle).
    const tells = expected && all.delayedAcks === "always" && grown.length > 0;
    if (tells && median(grown) > expected + 0.5)
      problems.push(`ACKs of two segments let out ${median(grown)} more; ${asked} lets out ${expected} at most`);
    if (problems.length) return { contradicts: problems };
    return seen.some(({ server }) => server.congestion)
      ? "confirmed"
      : hidden(evidence, "every connection had ended before its server was asked");
  },
});
