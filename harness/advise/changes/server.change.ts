import { servers } from "../../../servers/servers.ts";
import { defineChange } from "../change.ts";

/** Servers that sites use and that guests have. The others are for research, are built on demand, or are no package of Debian 13. */
const usual = ["apache", "caddy", "haproxy", "lighttpd", "nginx"];

export const change = defineChange({
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
});
