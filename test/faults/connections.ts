/** TCP, TLS and HTTP that are not what was asked for, or remember an earlier load. */
import { type Fault, inServer, reconfigure, route } from "./fault.ts";

let applied = 0;

export const connectionFaults: Record<string, Fault> = {
  initcwndNotApplied: {
    what: "initcwnd 3 asked, the kernel's default left",
    lasts: true,
    caughtBy: "evidence",
    message: /initcwnd at least 10 instead of 3/,
    apply: async () => void (await route("congctl", "cubic")),
  },
  initcwndTooSmall: {
    what: "initcwnd 10 asked, 3 applied",
    lasts: true,
    caughtBy: "evidence",
    condition: { initcwnd: 10, page: "C" }, // whose answers fill a window of 10; where none does, a smaller one can go unseen
    message: /initcwnd at most [3-9] instead of 10/,
    apply: async () => void (await route("initcwnd", "3", "congctl", "cubic")),
  },
  congestionDefault: {
    what: "the default congestion control left, which is another",
    lasts: true,
    caughtBy: "evidence",
    message: /congestion control (bbr|reno) instead of cubic/,
    apply: async () => {
      const [other] = (await inServer("sysctl", "-n", "net.ipv4.tcp_available_congestion_control"))
        .split(/\s+/)
        .filter((name) => name === "bbr" || name === "reno")
        .sort();
      await inServer("sysctl", "-qw", `net.ipv4.tcp_congestion_control=${other}`).catch(() => {}); // a namespace may have no say: then the machine's default counts
      await route(
        "initcwnd",
        "3",
        ...((await inServer("sysctl", "-n", "net.ipv4.tcp_congestion_control")).trim() === "cubic"
          ? ["congctl", other ?? ""]
          : []),
      );
    },
  },
  coalescing: {
    what: "one certificate and one address for all hosts: HTTP/2 coalesces",
    lasts: true,
    caughtBy: "evidence",
    condition: { servers: 2 },
    message: /connection \d+ is shared by several hosts/,
    sharesHost: true,
    apply: async () => {},
  },
  sharedCache: {
    what: "a cache that loads share",
    caughtBy: "evidence",
    message: /\d+ responses from a cache/,
    sharesContext: true,
    apply: async () => {},
  },
  resumedSession: {
    what: "TLS sessions that are resumed",
    lasts: true,
    caughtBy: "evidence",
    message: /a resumed TLS session/,
    sharesContext: true,
    withoutCache: true,
    apply: async () => {
      // The reload ends the first load's connections, so that the second makes new ones, with sessions from nginx's cache.
      await reconfigure(
        [/ssl_session_cache off/, "ssl_session_cache shared:x:1m"],
        [/keepalive_timeout \d+s/, `keepalive_timeout ${600 + applied++}s`],
      );
    },
  },
  metricsCache: {
    what: "TCP's metrics cache left on",
    lasts: true,
    caughtBy: "evidence",
    message: /TCP remembers earlier connections .* on server1/,
    apply: async () => void (await inServer("sysctl", "-qw", "net.ipv4.tcp_no_metrics_save=0")),
  },
  otherProtocol: {
    what: "a server that answers HTTP/1.1 when asked for HTTP/2",
    lasts: true,
    caughtBy: "evidence",
    message: /102 responses over http\/1\.1 instead of h2/,
    apply: () => reconfigure([/ http2(?=;)/g, ""], [/http2 on;/g, "http2 off;"]),
  },
};
