import { extraRttsMs } from "../schema/host-rtts.ts";
import type { ConditionValues } from "../schema/plan.ts";
import { recordedOf } from "../schema/recorded-names.ts";
import type { Registries } from "../schema/registries.ts";

/** How much longer a round trip to a host takes than the link's RTT, in milliseconds, by the host's name. */
export function extraRttMsOf(all: ConditionValues, { pages, hosts }: Registries): (host: string) => number {
  const { page, servers, hostRtts } = all;
  if (hostRtts !== "recorded") return () => 0;
  const recorded = recordedOf(page, { pages });
  const extraMs = recorded ? extraRttsMs(recorded, servers, hostRtts) : [];
  return (name) => extraMs[hosts.findIndex((one) => one.name === name)] ?? 0;
}
