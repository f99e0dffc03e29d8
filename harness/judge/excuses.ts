/** What the link's losses and the page itself explain is no reason to refuse a load: that would select loads by chance. */
import type { Verdict } from "../../axes/axis.ts";
import { axes } from "../../axes/registry.ts";
import type { Evidence, FlowEvidence, WindowBounds } from "../../schema/evidence.ts";
import type { AxisName, Condition } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import type { Judgement } from "./load.ts";

interface Excuse {
  /** The axis that is contradicted. */
  axis: AxisName;
  /** The verdict without what may differ by chance. @param judge the axis's verdict on other evidence */
  verdict(evidence: Evidence, condition: Condition, judge: (evidence: Evidence) => Verdict): Verdict;
}

const excuses: Excuse[] = [
  // Where the first handshake lost a packet, the others may have waited behind the page's data. If the link lost nothing, the axis
  // reports that no handshake was seen. One that was quicker than the RTT stays: no loss explains it.
  {
    axis: "rtt",
    verdict({ packets, ...evidence }, { settings: { link } }, judge) {
      const unlessQuick = <Flow extends { handshakeMs: number | null }>(flow: Flow): Flow =>
        flow.handshakeMs !== null && flow.handshakeMs < link.rttMs ? flow : { ...flow, handshakeMs: null };
      const { flows, quicFlows } = packets;
      return judge({
        ...evidence,
        packets: {
          ...packets,
          flows: flows.map(unlessQuick),
          ...(quicFlows && { quicFlows: quicFlows.map(unlessQuick) }),
        },
      });
    },
  },
  // A page may request an image lazily or by a script. What the load event does not wait for may be under way when the load ends.
  {
    axis: "page",
    verdict: (evidence, _, judge) =>
      judge({
        ...evidence,
        connections: evidence.connections.map((connection) => ({
          ...connection,
          requests: connection.requests.map((one) => (one.nonBlocking ? { ...one, endMs: null } : one)),
        })),
      }),
  },
  // A connection whose bounds exclude each other shows no initial window: the server stopped at a full one, and sent more than that
  // one allows, as a tail loss probe does. And a server may never have enough to send at once to fill its window, which depends on
  // when requests arrive.
  {
    axis: "initcwnd",
    verdict(evidence, { values: { initcwnd } }, judge) {
      const flows = evidence.packets.flows.map(withoutImpossibleBounds);
      const verdict = judge({ ...evidence, packets: { ...evidence.packets, flows } });
      const isBelow = (seen: WindowBounds | null | undefined) =>
        !seen || (seen.atMost === null && seen.atLeast > 1 && seen.atLeast <= Number(initcwnd));
      const windows = flows.map(({ server }) => server?.initcwnd);
      return isContradiction(verdict) && windows.some(Boolean) && windows.every(isBelow)
        ? { notObservable: "no server had enough to send at once to fill its window" }
        : verdict;
    },
  },
];

const withoutImpossibleBounds = (flow: FlowEvidence): FlowEvidence => {
  const { atLeast = 0, atMost = null } = flow.server?.initcwnd ?? {};
  return flow.server && atMost !== null && atLeast > atMost
    ? { ...flow, server: { ...flow.server, initcwnd: null } }
    : flow;
};

const isContradiction = (verdict: Verdict): verdict is { contradicts: string[] } =>
  typeof verdict === "object" && "contradicts" in verdict;

/** The judgement without the contradictions that have an excuse. */
export function excused(
  judgement: Judgement,
  evidence: Evidence,
  condition: Condition,
  registries: Registries,
): Judgement {
  if (judgement.contradictions.length === 0) return judgement;
  const { values } = condition;
  const left = {
    ...judgement,
    inconclusive: { ...judgement.inconclusive },
    notObservable: { ...judgement.notObservable },
  };
  for (const { axis: name, verdict: excuse } of excuses) {
    const axis = axes.find((one) => one.name === name)!;
    const judge = (seen: Evidence) => axis.proves(values[name], values, seen, registries);
    const found = judge(evidence);
    if (!isContradiction(found)) continue;
    const verdict = excuse(evidence, condition, judge);
    if (isContradiction(verdict)) continue;
    left.contradictions = left.contradictions.filter((text) => !found.contradicts.includes(text));
    if (verdict === "confirmed") continue;
    if ("inconclusive" in verdict) left.inconclusive[name] = verdict.inconclusive;
    else left.notObservable[name] = verdict.notObservable;
  }
  return left;
}
