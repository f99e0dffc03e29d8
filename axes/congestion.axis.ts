import { z } from "zod";
import { defineAxis, hidden } from "./axis.ts";
import { isOverQuic, onlyOverTcp, usedFlows } from "./flows.ts";

const ownDefault = "cubic";
const overTcp = onlyOverTcp(ownDefault, "congestion control");

/** Proven by the server's sockets, while they are open (ss(8)). */
export const axis = defineAxis<string>({
  name: "congestion",
  title: "the server's TCP congestion control",
  example: "cubic",
  place: 80,
  field: "congestion",
  value: z.enum(["cubic", "reno", "bbr"]),
  default: ownDefault,
  id: (congestion) => congestion,
  sets: (congestion) => ({ route: { server: { congestion } } }),
  refuses: overTcp.refuses,
  proves(congestion, all, evidence, registries) {
    if (isOverQuic(all, registries)) return overTcp.unseen;
    const seen = usedFlows(evidence.packets.flows);
    const problems = seen.flatMap(({ name, server }) =>
      server.congestion === null || server.congestion === congestion
        ? []
        : [`${name}: congestion control ${server.congestion} instead of ${congestion}`],
    );
    if (problems.length) return { contradicts: problems };
    return seen.some(({ server }) => server.congestion)
      ? "held"
      : hidden(evidence, "every connection had ended before its server was asked");
  },
});
