import { z } from "zod";
import { maxQuickacks } from "../hosts/quickacks.ts";
import { defineAxis } from "./axis.ts";
import { isOverQuic, onlyOverTcp, usedFlows } from "./flows.ts";

const own = "linux";
/** TCP_MAX_QUICKACKS in Linux. */
const ownQuickacks = 16;
/** Linux acknowledges at once as many as half of the receive window has room for: here two, one of which may be no full one. */
const leastWindow = 4;
/** A program that has read all there is after a pushed segment acknowledges at once, whatever is asked (tcp_cleanup_rbuf in Linux). */
const byReading = 1;
const overTcp = onlyOverTcp(own, "acknowledgments");

declare module "../schema/plan.ts" {
  interface AxisValues {
    delayedAcks: "linux" | "always";
  }
}

/**
 * Whether the client delays its ACKs from the first segment on (RFC 1122), or acknowledges up to 16 at once before, as Linux
 * does. Proven by how it acknowledges each connection's first answer, and by its kernel's parameter.
 */
export const axis = defineAxis({
  name: "delayedAcks",
  title: "when the client delays its ACKs",
  example: "always",
  follows: "windowScaling",
  field: "delayedAcks",
  value: z.enum([own, "always"]),
  default: own,
  label: (when) => (when === own ? "ACKs as Linux" : "ACKs always delayed"),
  id: (when) => `delayed-acks-${when}`,
  sets: (when) => (when === own ? {} : { client: { sysctls: { [maxQuickacks]: "0" } } }),
  refuses: overTcp.refuses,
  proves(when, all, evidence, registries) {
    if (isOverQuic(all, registries)) return overTcp.notObservable;
    if (registries.defaults.delayedAcks === undefined)
      return { notObservable: "its lab did not look at acknowledgments yet" };
    const asked = when === own ? ownQuickacks : 0;
    const flows = usedFlows(evidence.packets.flows);
    const of = (how: "atOnce" | "delayed") => flows.reduce((sum, { firstAcks }) => sum + (firstAcks?.[how] ?? 0), 0);
    const quickacks = evidence.maxQuickacks ?? ownQuickacks; // no other kernel can be told
    const [atOnce, delayed] = [of("atOnce"), of("delayed")];
    const problems = [
      ...flows.flatMap(({ name, firstAcks }) => (firstAcks ? [] : [`${name}: how it was acknowledged is missing`])),
      ...(quickacks === asked
        ? []
        : [`the client acknowledges up to ${quickacks} segments at once instead of ${asked}`]),
      ...flows.flatMap(({ name, firstAcks }) =>
        asked === 0 && firstAcks && firstAcks.atOnce > byReading
          ? [`${name}: ${firstAcks.atOnce} single segments were acknowledged at once`]
          : [],
      ),
      // A single one that waited for the next may have found its program reading, on the real clock.
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
