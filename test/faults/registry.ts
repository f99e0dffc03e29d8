/** The catalogue of faults for unit tests, forgeries and labs that are broken on purpose. */
import { connectionFaults } from "./connections.ts";
import type { Fault } from "./fault.ts";
import { flows } from "./flows.ts";
import type { InLab } from "./in-lab.ts";
import { linkFaults } from "./link.ts";
import { cpuHog, packets } from "./packets.ts";
import { quicFaults } from "./quic.ts";
import { requests } from "./requests.ts";
import { shaper } from "./shaper.ts";

/** The control: if a healthy lab were reported too, the other faults would prove nothing. */
const nothing: InLab = { caughtBy: "nothing", apply: async () => {} };

/** Faults that altered lines cannot imitate: wrong measurements of links, and faults of HTTP/3. */
const inLabAlone: Fault[] = [
  { what: "nothing: a healthy lab", message: /^$/, inLab: nothing },
  {
    what: "delay and a limit of 50 packets in one netem",
    message: /down rate, Mb\/s: asked 20\.00, measured/,
    inLab: linkFaults.oneNetem,
  },
  {
    what: "loss in one direction only",
    message: /down loss, %: asked 1\.00, measured 0\.00/,
    inLab: linkFaults.oneWayLoss,
  },
  {
    what: "the whole RTT in one direction",
    message: /down delay with serialisation, ms: asked 10\.\d+, measured 20/,
    inLab: linkFaults.oneWayDelay,
  },
  {
    what: "a server that closes each connection after a response",
    message: /each of \d+ connections carried one request/,
    inLab: connectionFaults.closedConnections,
  },
  {
    what: "a client that opens more connections than configured",
    message: /3 connections to s1\.lab; 2 configured/,
    inLab: connectionFaults.otherNumber,
  },
  {
    what: "a server that responds before its think time is over",
    message: /its server answered after 10\d[.\d]* ms instead of 300/,
    inLab: connectionFaults.otherThinkTime,
  },
  {
    what: "a server that sends the rest of a response before its back-end time is over",
    message: /its server sent the rest (99|10\d)\.\d ms after the first burst; 300 ms is configured/,
    inLab: connectionFaults.otherBackEndTime,
  },
  {
    what: "connections that are idle for less time than configured",
    message: /no request for 1\d{3}\.\d ms after a response; 3000 ms is configured/,
    inLab: connectionFaults.otherIdleTime,
  },
  {
    what: "a server that keeps its congestion window on idle connections",
    message: /\d+ segments at once after (29|30)\d\d ms of idle time, with slow start after idle on/,
    inLab: connectionFaults.keptWindow,
  },
  {
    what: "a server that answers over HTTP/2 instead of HTTP/3",
    message: /102 responses over h2 instead of h3/,
    inLab: quicFaults.otherProtocolThanQuic,
  },
  {
    what: "QUIC's packets that go around the shaper",
    message: /packets sent, 0 through the shaper/,
    inLab: quicFaults.quicAroundTheShaper,
  },
  {
    what: "QUIC sessions that are resumed, with requests in the first packets (0-RTT)",
    message: /\d+ packets of early data \(0-RTT\); .*: a resumed TLS session/,
    inLab: quicFaults.resumedQuicSession,
  },
  {
    what: "a QUIC server with another key exchange than configured",
    message: /key exchange secp256r1 instead of x25519, by the client/,
    inLab: quicFaults.otherKeyExchange,
  },
  {
    what: "a QUIC server that begins with a larger window than configured",
    message: /an initial window of at least \d+ bytes instead of 12000/,
    inLab: quicFaults.largerQuicWindow,
  },
  {
    what: "a QUIC server that paces, and begins with a larger window than configured",
    message: /s1\.lab: its log has an initial window of 38400 bytes; 12000 bytes are configured/,
    inLab: quicFaults.largerPacedWindow,
  },
  {
    what: "a server that ignores the urgency of requests",
    message: /\d+ bytes were sent while a more urgent response waited, .*, so they are ignored/,
    inLab: quicFaults.ignoredPriorities,
  },
  {
    what: "a QUIC server with another congestion control than configured",
    message: /s1\.lab: its log names reno; cubic is configured/,
    inLab: quicFaults.otherQuicCongestion,
  },
  {
    what: "the link of an earlier condition, under QUIC", // QUIC overflows the queue: losses may explain a late handshake
    message: /down: the quickest packet took [\d.]+ ms instead of [\d.]+/,
    inLab: quicFaults.quicOverFormerLink,
  },
  {
    what: "UDP's segmentation offload left on",
    message: /a superpacket of \d+ bytes/,
    inLab: quicFaults.quicSuperpackets,
  },
];

export const faults: Fault[] = [...inLabAlone, ...flows, ...shaper, ...packets, ...requests];

export type LabFault = Fault & { inLab: InLab };
export const labFaults = faults.filter((fault): fault is LabFault => fault.inLab !== undefined);

/**
 * Very different faults, one for each kind of check; each `./lab test` runs them. None is over HTTP/3, because building Caddy takes up to
 * six minutes on a new machine.
 */
const usual: InLab[] = [
  nothing,
  linkFaults.oneNetem,
  linkFaults.aroundTheShaper,
  connectionFaults.initcwndNotApplied,
  cpuHog,
];
export const usualFaults = labFaults.filter(({ inLab }) => usual.includes(inLab));
