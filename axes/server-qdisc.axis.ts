import type { Evidence } from "../schema/evidence.ts";
import { type ServerQdisc, serverQdiscs } from "../schema/server-qdiscs.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { provesServerQdisc } from "./server-kernel.ts";
import { oneOf } from "./values.ts";

const own = "noqueue" as const;
/** What tc prints for a discipline with its default parameters. */
const shown: Record<ServerQdisc, RegExp> = {
  fq: /^fq limit 10000p flow_limit 100p /,
  fq_codel: /^fq_codel limit 10240p flows 1024 /,
};

declare module "../schema/plan.ts" {
  interface AxisValues {
    serverQdisc: typeof own | ServerQdisc;
  }
}

/**
 * With `fq`, TCP paces all connections, not only those of BBR (tc-fq(8)). With `noqueue`, the default of Linux's virtual devices, packets leave at
 * once. Confirmed by what tc prints on each server's host after the load.
 */
export const axis = defineAxis({
  name: "serverQdisc",
  shownByAnyLoad: true,
  title: "queueing discipline of the servers' network devices",
  example: "fq",
  follows: "congestion",
  field: "serverQdisc",
  value: oneOf([own, ...serverQdiscs]),
  default: own,
  unknownBefore: "servers' queueing disciplines could be set",
  label: (qdisc) => `servers' ${qdisc}`,
  id: (qdisc) => `server-${qdisc}`,
  sets: (qdisc) => (qdisc === own ? {} : { server: { qdisc } }),
  proves: (qdisc, _, evidence) =>
    qdisc === own ? verdictOf(disciplinesIn(evidence)) : provesServerQdisc(evidence, shown[qdisc]),
});

/** Returns a problem for each host with a discipline of this axis. Other disciplines are ignored, because another axis may have set them. */
const disciplinesIn = ({ serverQdiscs = {} }: Evidence): string[] =>
  Object.entries(serverQdiscs)
    .filter(([, is]) => Object.values(shown).some((pattern) => pattern.test(is)))
    .map(([host, is]) => `${host}: its queueing discipline is ${is}; ${own} is configured`);
