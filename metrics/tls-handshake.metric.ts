import { median } from "simple-statistics";
import type { PacketEvidence } from "../schema/packet-evidence.ts";
import type { Metric } from "./metric.ts";

const handshakesMs = ({ flows }: PacketEvidence): number[] =>
  flows.flatMap(({ tlsHandshakeMs }) => tlsHandshakeMs ?? []);

/** The time until a client can send a request over TCP and TLS, as in Paquin et al. (ePrint 2019/1447), but measured by packets. */
export const metric: Metric = {
  name: "tlsHandshakeMs",
  title: "handshake of TCP and TLS, from the SYN to the client's Finished",
  unit: "ms",
  of({ packets }) {
    const each = handshakesMs(packets);
    return each.length ? median(each) : null;
  },
  each: ({ packets }) => handshakesMs(packets),
};
