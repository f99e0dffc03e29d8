/** Checks that servers requested another key (HelloRetryRequest, one round trip) if and only if clients had sent no key for the configured group. */
import type { Evidence } from "../../../schema/evidence.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { Registries } from "../../../schema/registries.ts";
import { counted } from "../../../schema/words.ts";

/** Groups that clients offer without sending a key. */
const withoutKey = ["secp256r1"];

export function keyShareProblems(
  { packets: { flows, quicFlows = [] } }: Evidence,
  { settings: { client, server } }: Condition,
  { clients }: Pick<Registries, "clients">,
): string[] {
  if (clients[client.software]?.drivenBy) return []; // Firefox sends keys of two groups
  const { version, keyExchange } = server.tls;
  const retries = version === "1.3" && withoutKey.includes(keyExchange);
  const hellos = [...flows, ...quicFlows].flatMap((flow) => flow.server?.hello ?? []);
  const wrong = hellos.filter(({ retry }) => retry !== retries).length;
  return wrong === 0
    ? []
    : [
        `${counted(wrong, "ServerHello")} ${retries ? "requested no other key" : "requested another key"}; in TLS ${version} with ${keyExchange} ${retries ? "each" : "none"} does`,
      ];
}
