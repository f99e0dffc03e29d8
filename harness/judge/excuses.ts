/** What the link's losses and the page itself explain is no reason to refuse a load: that would select loads by chance. */
import { axes } from "../../axes/registry.ts";
import type { Evidence } from "../../schema/evidence.ts";
import type { Link } from "../../schema/link.ts";
import type { AxisName, Condition } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import type { Judgement } from "./load.ts";

interface Excuse {
  /** The axis that is contradicted. */
  axis: AxisName;
  /** The evidence without what may differ by chance. If the rest does not contradict the axis, the load is no worse than any other. */
  without(evidence: Evidence, link: Link): Evidence;
}

const excuses: Excuse[] = [
  // Where the first handshake lost a packet, the others may have waited behind the page's data. If the link lost nothing, the axis
  // reports that no handshake was seen. One that was quicker than the RTT stays: no loss explains it.
  {
    axis: "rtt",
    without({ packets, ...evidence }, { rttMs }) {
      const unlessQuick = <Flow extends { handshakeMs: number | null }>(flow: Flow): Flow =>
        flow.handshakeMs !== null && flow.handshakeMs < rttMs ? flow : { ...flow, handshakeMs: null };
      const { flows, quicFlows } = packets;
      return {
        ...evidence,
        packets: {
          ...packets,
          flows: flows.map(unlessQuick),
          ...(quicFlows && { quicFlows: quicFlows.map(unlessQuick) }),
        },
      };
    },
  },
  // A page may request an image lazily or by a script. What the load event does not wait for may be under way when the load ends.
  {
    axis: "page",
    without: (evidence) => ({
      ...evidence,
      connections: evidence.connections.map((connection) => ({
        ...connection,
        requests: connection.requests.map((one) => (one.nonBlocking ? { ...one, endMs: null } : one)),
      })),
    }),
  },
];

/** The judgement without the contradictions that have an excuse. */
export function excused(
  judgement: Judgement,
  evidence: Evidence,
  { values, settings: { link } }: Condition,
  registries: Registries,
): Judgement {
  if (judgement.contradictions.length === 0) return judgement;
  const explained = excuses.flatMap(({ axis: name, without }) => {
    const axis = axes.find((one) => one.name === name)!;
    const contradictions = (seen: Evidence): string[] => {
      const verdict = axis.proves(values[name], values, seen, registries);
      return typeof verdict === "object" && "contradicts" in verdict ? verdict.contradicts : [];
    };
    return contradictions(without(evidence, link)).length === 0 ? contradictions(evidence) : [];
  });
  return { ...judgement, contradictions: judgement.contradictions.filter((text) => !explained.includes(text)) };
}
