/** What servers report in addition to packets: the values that a condition sets on their hosts, and how QUIC connections began. */
import type { Evidence } from "../../schema/evidence.ts";
import type { ServerObservation } from "../../schema/observation.ts";
import type { WebHost } from "../../schema/registries.ts";

export type ToldByServers = Pick<Evidence, "serverSysctls" | "serverQdiscs" | "quicCongestion" | "quicInitialBytes">;

/** @param servers the hosts' observations, in their order @returns the reported values by host; a field that no host reported is absent */
export function toldByServers(hosts: readonly WebHost[], servers: readonly ServerObservation[]): ToldByServers {
  const byHost = <T>(of: (server: ServerObservation) => T | undefined): Record<string, T> =>
    Object.fromEntries(
      hosts.flatMap(({ service }, i) => {
        const told = of(servers[i]!);
        return told === undefined ? [] : [[service, told]];
      }),
    );
  const qdiscs = byHost(({ qdisc }) => qdisc);
  const controls = byHost(({ quicCongestion }) => (quicCongestion?.length ? quicCongestion : undefined));
  const windows = byHost(({ quicInitialBytes }) => (quicInitialBytes?.length ? quicInitialBytes : undefined));
  const setsSysctls = servers.some(({ sysctls }) => Object.keys(sysctls).length > 0);
  return {
    ...(setsSysctls && { serverSysctls: byHost(({ sysctls }) => sysctls) }),
    ...(Object.keys(qdiscs).length > 0 && { serverQdiscs: qdiscs }),
    ...(Object.keys(controls).length > 0 && { quicCongestion: controls }),
    ...(Object.keys(windows).length > 0 && { quicInitialBytes: windows }),
  };
}
