import { servers } from "../../../servers/servers.ts";
import type { ChangeKind } from "../change.ts";

/** Servers that real sites use and guests have. The lab's other servers are for research, built on demand, or not packaged in Debian 13. */
const usual = ["apache", "caddy", "haproxy", "lighttpd", "nginx"];

export const change: ChangeKind = {
  name: "server",
  title: "another server program",
  changesOf: ({ now }) =>
    usual
      .filter((name) => name !== now.server)
      .map((server) => ({
        name: `server-${server}`,
        title: `serve it with ${servers[server]?.title ?? server}`,
        values: { server },
      })),
};
