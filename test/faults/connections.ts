/** Faults of connections: TCP, TLS or HTTP settings that are not as configured, or state from an earlier load. */
import { type InLab, inServer, otherServer, reconfigure, route } from "./in-lab.ts";

let applied = 0;

export const connectionFaults = {
  initcwndNotApplied: {
    lasts: true,
    caughtBy: "evidence",
    apply: async () => void (await route("congctl", "cubic")),
  },
  initcwndTooSmall: {
    lasts: true,
    caughtBy: "evidence",
    condition: { initcwnd: 10, page: "C" }, // its responses fill a window of 10; with smaller responses, a smaller window may not show
    apply: async () => void (await route("initcwnd", "3", "congctl", "cubic")),
  },
  congestionDefault: {
    lasts: true,
    caughtBy: "evidence",
    apply: async () => {
      const [other] = (await inServer("sysctl", "-n", "net.ipv4.tcp_available_congestion_control"))
        .split(/\s+/)
        .filter((name) => name === "bbr" || name === "reno")
        .sort();
      await inServer("sysctl", "-qw", `net.ipv4.tcp_congestion_control=${other}`).catch(() => {}); // a namespace may forbid this; then the machine's default stays
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
    lasts: true,
    caughtBy: "evidence",
    condition: { servers: 2 },
    sharesHost: true,
    apply: async () => {},
  },
  sharedCache: {
    caughtBy: "evidence",
    sharesContext: true,
    apply: async () => {},
  },
  resumedSession: {
    lasts: true,
    caughtBy: "evidence",
    sharesContext: true,
    withoutCache: true,
    apply: async () => {
      // The reload ends the first load's connections, so that the second load opens new ones, with sessions from nginx's cache.
      await reconfigure(
        [/ssl_session_cache off/, "ssl_session_cache shared:x:1m"],
        [/keepalive_timeout \d+s/, `keepalive_timeout ${600 + applied++}s`],
      );
    },
  },
  metricsCache: {
    lasts: true,
    caughtBy: "evidence",
    apply: async () => void (await inServer("sysctl", "-qw", "net.ipv4.tcp_no_metrics_save=0")),
  },
  closedConnections: {
    lasts: true,
    caughtBy: "evidence",
    condition: { protocol: "h1" },
    apply: () => reconfigure([/keepalive_timeout \d+s/, "keepalive_timeout 0"]),
  },
  otherNumber: {
    caughtBy: "evidence",
    condition: { protocol: "h1c", client: "replay", connections: 2 },
    otherVisit: (visit) => ({ ...visit, connections: 3 }),
    apply: async () => {},
  },
  otherIdleTime: {
    caughtBy: "evidence",
    condition: { protocol: "h2", client: "replay", idle: 3000 },
    otherVisit: (visit) => ({ ...visit, idleMs: 1000 }),
    apply: async () => {},
  },
  otherThinkTime: {
    caughtBy: "evidence",
    condition: { protocol: "h1c", client: "replay", server: "node", thinkTime: 300 },
    apply: otherServer({ thinkTimeMs: 100 }),
  },
  otherBackEndTime: {
    caughtBy: "evidence",
    condition: { protocol: "h1c", client: "replay", server: "node", page: "9KB", backEndTime: 300 },
    apply: otherServer({ backEndTimeMs: 100 }),
  },
  keptWindow: {
    lasts: true,
    caughtBy: "evidence",
    // Larger pages, and this page with an initcwnd of 3, overflow the queue: a retransmission then hides the window.
    condition: { protocol: "h2", client: "replay", idle: 3000, page: "A", initcwnd: 10 },
    apply: async () => void (await inServer("sysctl", "-qw", "net.ipv4.tcp_slow_start_after_idle=0")),
  },
  otherProtocol: {
    lasts: true,
    caughtBy: "evidence",
    apply: () => reconfigure([/ http2(?=;)/g, ""], [/http2 on;/g, "http2 off;"]),
  },
} satisfies Record<string, InLab>;
