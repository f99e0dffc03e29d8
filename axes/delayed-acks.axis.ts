import { maxQuickacks } from "../hosts/sysctls.ts";
import { expect } from "../schema/expect.ts";
import { ownQuickacks } from "../schema/linux.ts";
import { defineAxis } from "./axis.ts";
import { onlyOverTcp, usedFlows } from "./flows.ts";
import { oneOf } from "./values.ts";

const own = "linux" as const;
/** The least receive window, in segments, whose first half surely has a full segment. Linux delays no ACK in the first half. */
const leastWindow = 4;
/** How many ACKs are not delayed even with `always`: the ACK after a program has read all data up to a pushed segment (tcp_cleanup_rbuf). */
const byReading = 1;
const overTcp = onlyOverTcp(own, "acknowledgments");

declare module "../schema/plan.ts" {
  interface AxisValues {
    delayedAcks: "linux" | "always";
  }
}

/**
 * Whether the client delays its ACKs from the first segment on (RFC 1122), or first acknowledges up to 16 segments without delay, as
 * Linux does. Confirmed by the client's ACKs for each connection's first response, and by the parameter of the client's kernel.
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
    const quickacks = evidence.maxQuickacks ?? ownQuickacks; // a kernel without the parameter behaves as Linux does by default
    const [atOnce, delayed] = [of("atOnce"), of("delayed")];
    const problems = [
      ...expect(
        quickacks === asked,
        `the client acknowledges up to ${quickacks} segments without delay instead of ${asked}`,
      ),
      ...flows.flatMap(({ name, firstAcks }) =>
        asked === 0 && firstAcks.atOnce > byReading
          ? [`${name}: ${firstAcks.atOnce} single segments were acknowledged without delay`]
          : [],
      ),
      // One delayed ACK is no contradiction: on the real clock it may have waited for the program to read.
      ...(asked > 0 && atOnce === 0 && delayed > 1 && all.initrwnd >= leastWindow
        ? [`all ${delayed} ACKs were delayed, but Linux delays none at first`]
        : []),
    ];
    if (problems.length) return { contradicts: problems };
    return (asked > 0 ? atOnce : delayed) > 0
      ? "confirmed"
      : {
          notObservable: "no first response had full segments in a row that show whether the client delays ACKs",
        };
  },
});
