import type { PacketEvidence } from "../schema/packet-evidence.ts";
import type { Metric } from "./metric.ts";

export function quickestHandshakeMs({ flows, quicFlows = [] }: PacketEvidence): number | null {
  const seen = [...flows, ...quicFlows].flatMap(({ handshakeMs }) => handshakeMs ?? []);
  return seen.length ? Math.min(...seen) : null;
}

export const metric: Metric = {
  name: "handshakeMs",
  title: "quickest handshake",
  unit: "ms",
  tables: false,
  compared: 2,
  of: ({ packets }) => quickestHandshakeMs(packets),
};
