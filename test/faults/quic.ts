/** Faults of HTTP/3, which QUIC's packets and the servers' logs must show. */
import { ask } from "../../hosts/control.ts";
import { serverRoutes } from "../../hosts/routes.ts";
import type { RouteTcp, Settings } from "../../schema/settings.ts";
import { goAround, type InLab, reconfigureCaddy } from "./in-lab.ts";
import { formerLink, segmentationOffload } from "./link.ts";

const overQuic = { protocol: "h3", server: "caddy", initcwnd: 10 };
let applied = 0;

/** Makes Caddy issue tickets. Also changes a time-out, so that Caddy ends its connections and a second load resumes a session. */
const giveTickets = () =>
  reconfigureCaddy(({ apps: { http, tls } }) => {
    tls.session_tickets = { disabled: false };
    http.servers.h3!.idle_timeout = `${10 + applied++}m`;
  });

/** Configures the first server's route with settings that differ from the condition's. */
const withOtherRoute =
  (news: Partial<RouteTcp>) =>
  async ({ server, route }: Settings): Promise<void> =>
    void (await ask("server1", serverRoutes.configure, {
      ...server,
      route: { ...(route.server as RouteTcp), ...news },
    }));

export const quicFaults = {
  otherProtocolThanQuic: {
    lasts: true,
    caughtBy: "evidence",
    condition: overQuic,
    withoutQuic: true,
    apply: () =>
      reconfigureCaddy(({ apps: { http } }) => {
        const { h3 } = http.servers;
        h3!.protocols = ["h2"];
        h3!.tls_connection_policies![0]!.alpn = ["h2"];
      }),
  },
  quicAroundTheShaper: {
    lasts: true,
    caughtBy: "evidence",
    condition: overQuic,
    apply: goAround,
  },
  resumedQuicSession: {
    lasts: true,
    caughtBy: "evidence",
    condition: overQuic,
    sharesContext: true,
    withoutCache: true,
    apply: giveTickets,
  },
  otherKeyExchange: {
    lasts: true,
    caughtBy: "evidence",
    condition: overQuic,
    apply: () =>
      reconfigureCaddy(({ apps: { http } }) => {
        http.servers.h3!.tls_connection_policies![0]!.curves = ["secp256r1"];
      }),
  },
  largerQuicWindow: {
    lasts: true,
    caughtBy: "evidence",
    condition: { ...overQuic, server: "aioquic" },
    apply: withOtherRoute({ initcwnd: 32 }),
  },
  /** quinn paces its packets, so only its log can show its window. */
  largerPacedWindow: {
    lasts: true,
    caughtBy: "evidence",
    condition: { ...overQuic, server: "quinn" },
    apply: withOtherRoute({ initcwnd: 32 }),
  },
  /** Page C shows this fault, because Chromium requests the page's later images with less urgency. */
  ignoredPriorities: {
    lasts: true,
    caughtBy: "evidence",
    condition: { ...overQuic, server: "aioquic", page: "C", priorities: "honoured" },
    apply: async ({ server, route }) => {
      await ask("server1", serverRoutes.configure, {
        ...server,
        priorities: "ignored",
        route: route.server as RouteTcp,
      });
    },
  },
  otherQuicCongestion: {
    lasts: true,
    caughtBy: "evidence",
    condition: { ...overQuic, server: "quinn" },
    apply: withOtherRoute({ congestion: "reno" }),
  },
  quicOverFormerLink: {
    caughtBy: "evidence",
    condition: overQuic,
    apply: formerLink,
  },
  quicSuperpackets: {
    lasts: true,
    caughtBy: "evidence",
    condition: { ...overQuic, page: "C" },
    apply: segmentationOffload,
  },
} satisfies Record<string, InLab>;
