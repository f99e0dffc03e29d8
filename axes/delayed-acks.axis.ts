import { maxQuickacks } from "../hosts/quickacks.ts";
import { expect } from "../schema/expect.ts";
import { ownQuickacks } from "../schema/linux.ts";
import { defineAxis } from "./axis.ts";
import { onlyOverTcp, usedFlows } from "./flows.ts";
import { oneOf } from "./values.ts";

const own = "linux" as const;
/** Linux acknowledges half a receive window at once: with this window two segments, of which one may not be full. */
const leastWindow = 4;
/** When a program has read everything after a pushed segment, Linux acknowledges at once anyway (tcp_cleanup_rbuf). */
const byReading = 1;
const overTcp = onlyOverTcp(own, "acknowledgments");

declare module "../schema/plan.ts" {
  interface AxisValues {
    delayedAcks: "linux" | "always";
  }
}

/**
 * Whether the client delays its ACKs from the first segment on (RFC 1122), or first acknowledges up to 16 segments at once, as
 * Linux does. Confirmed by how it acknowledges each connection's first response, and by its kernel's parameter.
 */
export const axis = defineAxis({
  name: "delayedAcks",
  title: "when the client delays its ACKs",
  example: "always",
  follows: "windowScaling",
  field: "delayedAcks",
  value: oneOf([own, "always"]),
  default: own,
  label: (when) => (when === own ? "ACKs as Linux" : "ACKs always delayed"),
  id: (when) => `delayed-acks-${when}`,
  sets: (when) => (when === own ? {} : { client: { sysctls: { [maxQuickacks]: "0" } } }),
  refuses: overTcp.refuses,
  overQuic: overTcp.notObservable,
  proves(when, all, evidence) {
    const asked = when === own ? ownQuickacks : 0;
    const flows = usedFlows(evidence.packets.flows);
    const of = (how: "atOnce" | "delayed") => flows.reduce((sum, { firstAcks }) => sum + firstAcks[how], 0);
    const quickacks = evidence.maxQuickacks ?? ownQuickacks; // other kernels have no such parameter
    const [atOnce, delayed] = [of("atOnce"), of("delayed")];
    const problems = [
      ...expect(quickacks === asked, `the client acknowledges up to ${quickacks} segments at once instead of ${asked}`),
      ...flows.flatMap(({ name, firstAcks }) =>
        asked === 0 && firstAcks.atOnce > byReading
          ? [`${name}: ${firstAcks.atOnce} single segments were acknowledged at once`]
          : [],
      ),
      // On the real clock, a single delayed ACK may have waited for the program to read.
      ...(asked > 0 && atOnce === 0 && delayed > 1 && all.initrwnd >= leastWindow
        ? [`all of ${delayed} ACKs were delayed, and Linux delays none at first`]
        : []),
    ];
    if (problems.length) return { contradicts: problems };
    return (asked > 0 ? atOnce : delayed) > 0
      ? "confirmed"
      : {
          notObservable:
            "no first answer had full segments in a row that its window let the client acknowledge at once",
        };
  },
});
