import { sum } from "simple-statistics";
import type { PacketEvidence, StreamsEvidence } from "../schema/packet-evidence.ts";
import type { Metric } from "./metric.ts";

/** The evidence of the streams on all HTTP/2 and HTTP/3 connections of the load that could be decrypted. */
const streamsIn = ({ flows, quicFlows = [] }: PacketEvidence): StreamsEvidence[] =>
  [...flows, ...quicFlows].flatMap(({ streams }) => streams ?? []);

function total(packets: PacketEvidence, of: (streams: StreamsEvidence) => number): number | null {
  const all = streamsIn(packets);
  return all.length ? sum(all.map(of)) : null;
}

/** Counts the bytes that servers sent while a more urgent response waited; null if no request of the load had a priority. */
const early = (packets: PacketEvidence): number | null =>
  streamsIn(packets).some(({ earlyBytes }) => earlyBytes !== undefined)
    ? total(packets, ({ earlyBytes = 0 }) => earlyBytes)
    : null;

export const metric: Metric[] = [
  {
    name: "blockedBytes",
    title: "bytes that waited for another response's packet (head-of-line blocking)",
    unit: "B",
    of: ({ packets }) => total(packets, ({ blockedBytes }) => blockedBytes),
  },
  {
    name: "passedBytes",
    title: "bytes that HTTP/3 delivered, but that would have waited over TCP",
    unit: "B",
    of: ({ packets }) => total(packets, ({ passedBytes = 0 }) => passedBytes),
  },
  {
    name: "earlyBytes",
    title: "bytes that servers sent while a more urgent response waited",
    unit: "B",
    of: ({ packets }) => early(packets),
  },
  {
    name: "earlyPercent",
    title: "bytes that servers sent while a more urgent response waited, percent of all responses' bytes",
    unit: "%",
    of({ packets }) {
      const [sent, all] = [early(packets), total(packets, ({ bytes }) => bytes)];
      return sent !== null && all ? (100 * sent) / all : null;
    },
  },
];
