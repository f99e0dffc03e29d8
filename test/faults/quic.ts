/**
 * HTTP/3's own: QUIC is no TCP, so that what tells of a broken lab is read from other packets. A server's first window and its
 * congestion control have no fault: nobody sees them, and no condition asks for one.
 */

import { type Fault, goAround, reconfigureCaddy } from "./fault.ts";
import { formerLink, segmentationOffload } from "./link.ts";

const overQuic = { protocol: "h3", server: "caddy", initcwnd: 10 };
let applied = 0;

/** Caddy gives out tickets, and by another time-out of its connections ends those that there are: a second load resumes a session. */
const giveTickets = () =>
  reconfigureCaddy(({ apps: { http, tls } }) => {
    tls.session_tickets = { disabled: false };
    http.servers.h3!.idle_timeout = `${10 + applied++}m`;
  });

export const quicFaults: Record<string, Fault> = {
  otherProtocolThanQuic: {
    what: "a server that answers HTTP/2 when asked for HTTP/3",
    lasts: true,
    caughtBy: "evidence",
    condition: overQuic,
    message: /102 responses over h2 instead of h3/,
    withoutQuic: true,
    apply: () =>
      reconfigureCaddy(({ apps: { http } }) => {
        const { h3 } = http.servers;
        h3!.protocols = ["h2"];
        h3!.tls_connection_policies![0]!.alpn = ["h2"];
      }),
  },
  quicAroundTheShaper: {
    what: "QUIC's packets that go around the shaper",
    lasts: true,
    caughtBy: "evidence",
    condition: overQuic,
    message: /packets sent, 0 through the shaper/,
    apply: goAround,
  },
  resumedQuicSession: {
    what: "QUIC sessions that are resumed",
    lasts: true,
    caughtBy: "evidence",
    condition: overQuic,
    // Caddy pads the datagram of a short ServerHello in front of it, so that captures have it not: what nobody saw is no full one.
    message: /no full TLS 1\.3 handshake/,
    sharesContext: true,
    withoutCache: true,
    apply: giveTickets,
  },
  earlyData: {
    what: "requests in QUIC's first packets (0-RTT), a round trip too soon",
    lasts: true,
    caughtBy: "evidence",
    condition: overQuic,
    message: /\d+ packets of early data \(0-RTT\)/,
    sharesContext: true,
    withoutCache: true,
    apply: giveTickets,
  },
  otherKeyExchange: {
    what: "a QUIC server that makes another key exchange",
    lasts: true,
    caughtBy: "evidence",
    condition: overQuic,
    message: /key exchange secp256r1 instead of x25519, by the client/,
    apply: () =>
      reconfigureCaddy(({ apps: { http } }) => {
        http.servers.h3!.tls_connection_policies![0]!.curves = ["secp256r1"];
      }),
  },
  quicOverFormerLink: {
    what: "the link of another condition, under QUIC",
    caughtBy: "evidence",
    condition: overQuic,
    message: /the quickest handshake took 1\d\d\.?\d* ms; the RTT is 20 ms/,
    apply: formerLink,
  },
  quicSuperpackets: {
    what: "UDP's segmentation offload left on",
    lasts: true,
    caughtBy: "evidence",
    condition: { ...overQuic, page: "C" },
    message: /a superpacket of \d+ bytes/,
    apply: segmentationOffload,
  },
};
