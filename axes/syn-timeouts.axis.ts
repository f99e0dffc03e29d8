import { synLinearTimeouts } from "../hosts/sysctls.ts";
import type { Evidence } from "../schema/evidence.ts";
import { ownSynLinearTimeouts } from "../schema/linux.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { onlyOverTcp } from "./flows.ts";
import { oneOf } from "./values.ts";

const own = "linux" as const;
const overTcp = onlyOverTcp(own, "first time-outs");
/** Timers may be late by an eighth. So the ratio of consecutive intervals is below this for equal intervals, and above it for doubled ones. */
const doubledFrom = 1.5;

declare module "../schema/plan.ts" {
  interface AxisValues {
    synTimeouts: "linux" | "doubled";
  }
}

/**
 * Since Linux 6.5, `linux` sends a SYN again five times at intervals of a second, and then doubles the time-out; `doubled` doubles each time-out
 * (RFC 6298), as Linux did before. Confirmed by SYNs that were sent at least three times, and by the kernel's parameter.
 */
export const axis = defineAxis({
  name: "synTimeouts",
  title:
    "when the client retransmits an unanswered SYN; linux: as its kernel does by default; doubled: each time-out is twice as long as the one before",
  example: "doubled",
  follows: "delayedAcks",
  field: "synTimeouts",
  value: oneOf([own, "doubled"]),
  default: own,
  unknownBefore: "the lab could set SYN time-outs",
  label: (when) => (when === own ? "SYNs again as Linux" : "SYNs again after doubled time-outs"),
  id: (when) => `syn-timeouts-${when}`,
  sets: (when) => (when === own ? {} : { client: { sysctls: { [synLinearTimeouts]: "0" } } }),
  refuses: overTcp.refuses,
  overQuic: overTcp.notObservable,
  proves(when, _, { packets, synLinearTimeouts: linear }) {
    const asked = when === own ? ownSynLinearTimeouts : 0;
    const doubts =
      linear == null || linear === asked
        ? []
        : [`the client's kernel does not double the first ${linear} time-outs of a SYN; ${asked} is configured`];
    const seen = packets.flows.flatMap((flow) => stepsOf(flow));
    // A kernel without the parameter doubles each time-out.
    const expected = linear == null ? 0 : asked;
    const problems = seen.flatMap(({ name, step, doubled }) =>
      doubled === step > expected
        ? []
        : [`${name}: time-out ${step + 1} of its SYN is ${doubled ? "" : "not "}twice as long as time-out ${step}`],
    );
    if (doubts.length || problems.length) return verdictOf([...doubts, ...problems]);
    return seen.length ? "confirmed" : { notObservable: "no SYN was sent three times" };
  },
});

/** Whether each time-out of a connection's SYN is twice as long as the one before it. */
function stepsOf({ host, clientPort, synsAgainMs = [] }: Evidence["packets"]["flows"][number]) {
  const timeoutsMs = synsAgainMs.map((ms, i) => ms - (synsAgainMs[i - 1] ?? 0));
  return timeoutsMs.slice(1).map((ms, i) => ({
    name: `connection ${clientPort} to ${host}`,
    step: i + 1,
    doubled: ms > doubledFrom * timeoutsMs[i]!,
  }));
}
