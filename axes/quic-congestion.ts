/** The congestion control of QUIC connections, if the server software can set it and logs which one was used. */
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { type Verdict, verdictOf } from "./axis.ts";
import { onlyOverTcp, usedQuicHosts } from "./flows.ts";

const overTcp = onlyOverTcp<string>("cubic", "congestion control");

const controlsOf = (server: string, { servers }: Registries) => servers[server]?.quicCongestion;

export function refusesQuicCongestion(asked: string, all: ConditionValues, registries: Registries): string | null {
  const controls = controlsOf(all.server, registries);
  if (controls)
    return controls.includes(asked)
      ? null
      : `server ${all.server} has no ${asked} over QUIC; allowed: ${controls.join(", ")}`;
  const refusal = overTcp.refuses(asked, all, registries);
  const others = Object.keys(registries.servers).filter((server) => controlsOf(server, registries)?.includes(asked));
  return refusal && others.length ? `${refusal}; server ${others.join(", ")} has ${asked}` : refusal;
}

/** Confirmed by the log of each server that a connection used: it must name this congestion control and no other. */
export function provesQuicCongestion(
  asked: string,
  { server }: ConditionValues,
  evidence: Evidence,
  registries: Registries,
): Verdict {
  if (!controlsOf(server, registries)) return overTcp.notObservable;
  return verdictOf(
    usedQuicHosts(evidence, registries).flatMap(({ service, name }) => {
      const named = evidence.quicCongestion?.[service] ?? [];
      if (named.join() === asked) return [];
      return [`${name}: its log names ${named.join(" and ") || "no congestion control"}; ${asked} is configured`];
    }),
  );
}
