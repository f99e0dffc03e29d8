import { directions } from "../schema/link.ts";
import { counted } from "../schema/words.ts";
import { defineAxis, hidden, verdictOf } from "./axis.ts";
import { allOf, provesBoth } from "./direction.ts";
import { onlyOverTcp, usedFlows } from "./flows.ts";
import { oneOf } from "./values.ts";

const overTcp = onlyOverTcp("off", "use of ECN");

declare module "../schema/plan.ts" {
  interface AxisValues {
    ecn: "off" | "on";
  }
}

/**
 * If the client requests ECN, Linux servers agree by default. cake and dualpi2 always mark packets that allow marks. Confirmed by the flags of SYN
 * and SYN/ACK, and by the shaper's kernel.
 */
export const axis = defineAxis({
  name: "ecn",
  title:
    "whether TCP uses Explicit Congestion Notification (RFC 3168), and whether fq_codel marks packets instead of dropping them",
  example: "on",
  follows: "aqm",
  field: "ecn",
  value: oneOf(["off", "on"]),
  default: "off",
  unknownBefore: "the lab observed ECN",
  label: (ecn) => `ECN ${ecn}`,
  id: (ecn) => `ecn-${ecn}`,
  sets: (ecn) => (ecn === "off" ? {} : { client: { sysctls: { "net.ipv4.tcp_ecn": "1" } }, link: { ecn: true } }),
  refuses: overTcp.refuses,
  overQuic: overTcp.notObservable,
  proves(ecn, { aqm }, evidence) {
    const isOn = ecn === "on";
    const byKernel = provesBoth(evidence, "ecn", isOn && aqm === "fq_codel" ? true : undefined);
    // After a time-out, Linux retries without ECN (tcp_ecn_fallback).
    const seen = usedFlows(evidence.packets.flows).filter(({ handshakeMs }) => handshakeMs !== null);
    const marked = directions.reduce((sum, way) => sum + (evidence.packets.path[way].ecn?.marked ?? 0), 0);
    const byPackets = verdictOf([
      ...seen.flatMap(({ name, ecn: agreed = false }) =>
        agreed === isOn ? [] : [`${name}: SYN and SYN/ACK ${agreed ? "agreed" : "did not agree"} on ECN`],
      ),
      ...(!isOn && marked > 0 ? [`${counted(marked, "packet")} came with a mark although nothing uses ECN`] : []),
    ]);
    return allOf(byKernel, seen.length ? byPackets : hidden(evidence, "no handshake was fully captured"));
  },
});
