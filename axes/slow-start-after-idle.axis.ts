import { fullQueueMs } from "../schema/link.ts";
import { leastTimeoutMs } from "../schema/linux.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { defineAxis, hidden, isInconclusive, verdictOf } from "./axis.ts";
import { isDisordered } from "./disorder.ts";
import { onlyOverTcp, usedFlows } from "./flows.ts";
import { linkOf } from "./link-values.ts";
import { oneOf } from "./values.ts";

const overTcp = onlyOverTcp("on", "slow start after idle");

declare module "../schema/plan.ts" {
  interface AxisValues {
    slowStartAfterIdle: "on" | "off";
  }
}

/** Linux halves an idle window at each time-out (RFC 2861). After this many, 1000 times the initial window has shrunk to the initial window. */
const timeouts = 10;
/** The retransmission time-out behind a full queue, for a connection without losses; losses can lengthen it to minutes. */
const timeoutMs = (all: ConditionValues, registries: Registries) =>
  all.rtt + fullQueueMs(linkOf(all, registries), "down") + leastTimeoutMs;

/** RFC 5681, section 4.1. Confirmed by the first flight after a connection's longest idle time, if its window had grown (observe/after-idle.ts). */
export const axis = defineAxis({
  name: "slowStartAfterIdle",
  title: "whether servers return to slow start on idle connections",
  example: "off",
  follows: "congestion",
  field: "slowStartAfterIdle",
  value: oneOf(["on", "off"]),
  default: "on",
  unknownBefore: "the lab observed idle connections",
  label: (slowStart) => `slow start after idle ${slowStart}`,
  id: (slowStart) => `slow-start-after-idle-${slowStart}`,
  sets: (slowStart) => (slowStart === "on" ? {} : { route: { server: { slowStartAfterIdle: false } } }),
  refuses(slowStart, all, registries) {
    if (slowStart === "off" && all.congestion === "bbr")
      return "BBR never returns to slow start on idle connections; only on, which changes nothing, is allowed";
    return overTcp.refuses(slowStart, all, registries);
  },
  overQuic: overTcp.notObservable,
  proves(slowStart, all, evidence, registries) {
    const { initcwnd } = all;
    if (all.congestion === "bbr" || initcwnd === "adaptive")
      return { notObservable: "BBR does not return to slow start, and adaptive windows differ by connection" };
    if (all.connections === "each" || all.connections === "in-turn")
      return { notObservable: "each request has a connection of its own, so no connection is idle before another" };
    const idle = usedFlows(evidence.packets.flows).flatMap(({ name, server: { afterIdle, retransmittedSegments } }) =>
      afterIdle ? [{ name, ...afterIdle, lossless: retransmittedSegments === 0 }] : [],
    );
    const larger = idle.filter(({ flightSegments }) => flightSegments > initcwnd);
    const kept = larger.filter(({ lossless, idleMs }) => lossless && idleMs >= timeouts * timeoutMs(all, registries));
    // Without a loss the window was at least as large as what had been in flight.
    const fallen = idle.filter(
      ({ lossless, mostBefore, windowWasFull, flightSegments }) =>
        lossless && mostBefore > initcwnd && windowWasFull && flightSegments <= initcwnd,
    );
    const contrary = slowStart === "on" ? kept : fallen;
    if (contrary.length)
      return verdictOf(
        contrary.map(
          ({ name, flightSegments, idleMs }) =>
            `${name}: ${flightSegments} segments at once after ${idleMs.toFixed(0)} ms of idle time, with slow start after idle ${slowStart} and initcwnd ${initcwnd}`,
        ),
      );
    // After losses, a full window of exactly the initial size is unlikely to be a result of the losses.
    const isInitial = ({ mostBefore, windowWasFull, flightSegments }: (typeof idle)[number]) =>
      mostBefore > initcwnd && windowWasFull && flightSegments === initcwnd;
    const confirming = slowStart === "on" ? [...fallen, ...idle.filter(isInitial)] : larger;
    if (confirming.length) return "confirmed";
    const verdict = hidden(evidence, "no idle connection without retransmissions showed its window");
    if (idle.some(({ lossless }) => !lossless) && isInconclusive(verdict))
      return isDisordered(all, evidence)
        ? { notObservable: "jitter reordered packets: TCP treated late ones as lost, and reduced its windows before" }
        : verdict;
    return { notObservable: "no idle connection had more to send than its initial window holds" };
  },
});
