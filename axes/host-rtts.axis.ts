import type { Evidence } from "../schema/evidence.ts";
import { delayMsOf, extraRttsMs, type HostRtts, mostExtraMs } from "../schema/host-rtts.ts";
import type { ConditionValues } from "../schema/plan.ts";
import { recordedOf } from "../schema/recorded-names.ts";
import type { Registries } from "../schema/registries.ts";
import { tolerance } from "../schema/tolerances.ts";
import { defineAxis, hidden, type Verdict, verdictOf } from "./axis.ts";
import { extraRttMsOf } from "./extra-rtt.ts";
import { openedMs } from "./late-answers.ts";
import { linkOf } from "./link-values.ts";
import { oneOf } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    hostRtts: HostRtts;
  }
}

/** The nearest host has the link's RTT; the others delay each packet they send (netem). Confirmed by tc's output on each host and by handshakes. */
export const axis = defineAxis({
  name: "hostRtts",
  title: "whether all hosts of a recorded page have the same RTT, or differ in RTT as they did when it was recorded",
  example: "recorded",
  follows: "serverTimes",
  field: "hostRtts",
  value: oneOf(["equal", "recorded"]),
  default: "equal",
  unknownBefore: "the lab could place hosts at different distances",
  label: (rtts) => (rtts === "equal" ? "hosts equally far" : "hosts' recorded RTTs"),
  id: (rtts) => `host-rtts-${rtts}`,
  sets: (rtts) => (rtts === "equal" ? {} : { server: { recordedRtts: true } }),
  refuses(rtts, all, registries) {
    if (rtts === "equal") return null;
    const { page, servers, serverQdisc, background, initcwnd } = all;
    const recorded = recordedOf(page, registries);
    if (registries.pages[page] && !recorded?.rttsMs)
      return `page ${page} has no recorded RTTs: only ./lab page record and ./lab page import --as-recorded keep them`;
    if (servers === 1) return "with one server all hosts are equally far; two or more servers are allowed";
    const extraMs = recorded ? Math.max(...extraRttsMs(recorded, servers, rtts)) : 0;
    if (extraMs > mostExtraMs)
      return `a host of page ${page} was ${extraMs} ms farther away than the nearest; at most ${mostExtraMs} ms are allowed`;
    if (serverQdisc !== "noqueue")
      return "a server's network device can have only one queueing discipline, and the delay uses it; serverQdisc noqueue is allowed";
    if (background !== "none")
      return "background flows would come from a host that may have a longer RTT; background none is allowed";
    return initcwnd === "adaptive"
      ? "the check of an adaptive initcwnd assumes that each host has the link's RTT; a number of segments is allowed"
      : null;
  },
  proves(rtts, all, evidence, registries) {
    if (rtts === "recorded" && !recordedOf(all.page, registries)?.rttsMs)
      return { notObservable: "the page has no recorded RTTs" };
    const extraMsOf = extraRttMsOf(all, registries);
    const disciplines = registries.hosts.flatMap(({ service, name }) => {
      const { [service]: is = "noqueue" } = evidence.serverQdiscs ?? {};
      const askedMs = extraMsOf(name);
      return delayMsOf(is) === askedMs
        ? []
        : [`${service}: its queueing discipline is ${is}; a delay of ${askedMs} ms is configured`];
    });
    if (disciplines.length || rtts === "equal") return verdictOf(disciplines);
    return provesHandshakes(all, evidence, registries, extraMsOf);
  },
});

/** A handshake takes at least its host's RTT, and at most as long as the load's slowest packets would take to that host and back. */
function provesHandshakes(
  all: ConditionValues,
  evidence: Evidence,
  registries: Registries,
  extraMsOf: (host: string) => number,
): Verdict {
  const link = linkOf(all, registries);
  const { packets, processor } = evidence;
  const { up, down } = packets.path;
  const slowestMs = (up.transit?.mostMs ?? Infinity) + (down.transit?.mostMs ?? Infinity);
  const lateMs = tolerance.serverMs + (processor.pauses?.longestMs ?? 0);
  const took = [...packets.flows, ...(packets.quicFlows ?? [])].flatMap((flow) => {
    const extraMs = extraMsOf(flow.host);
    const ms = openedMs(flow, packets, link, extraMs);
    const text = `connection ${flow.clientPort} to ${flow.host}: its handshake took ${ms} ms`;
    return ms === null
      ? []
      : [{ ms, text, leastMs: link.rttMs + extraMs - tolerance.earlyMs, mostMs: slowestMs + extraMs + lateMs }];
  });
  const early = took.filter(({ ms, leastMs }) => ms < leastMs);
  if (early.length)
    return verdictOf(early.map(({ text, leastMs }) => `${text}; at least ${leastMs.toFixed(1)} expected`));
  const [late] = took.filter(({ ms, mostMs }) => ms > mostMs);
  return late ? hidden(evidence, `${late.text}; at most ${late.mostMs.toFixed(1)} expected`) : "confirmed";
}
