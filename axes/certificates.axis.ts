import { announcingAlpn } from "../schema/discovery.ts";
import type { Evidence } from "../schema/evidence.ts";
import { entryOf } from "../schema/registries.ts";
import {
  type CertificateChain,
  certificateChainNames,
  certificateChains,
  keyExchanges,
  usualTls,
} from "../schema/tls.ts";
import { defineAxis, hidden, type Verdict, verdictOf } from "./axis.ts";
import { isOverQuic, isWithoutTcp, type UsedFlow, usedFlows, usedQuicFlows } from "./flows.ts";
import { oneOf } from "./values.ts";

/** Bytes of a server's handshake without its certificates: ServerHello, a signature of 70 to 256 bytes, Finished, and all headers. */
const otherBytes = { least: 150, most: 850 };
/** Length of ML-KEM's ciphertext in a ServerHello. */
const longKeyBytes = 1088;

declare module "../schema/plan.ts" {
  interface AxisValues {
    certificates: CertificateChain;
  }
}

/**
 * Confirmed by the number of bytes that a server sent before the client finished the handshake. TLS 1.2 does not encrypt certificates, so their
 * length is checked too. QUIC may pad and retransmit, so only a first flight that is too short is a contradiction.
 */
export const axis = defineAxis({
  name: "certificates",
  title: "the chain of certificates that servers send",
  example: "rsa3",
  follows: "keyExchange",
  field: "certificates",
  value: oneOf(certificateChainNames),
  default: usualTls.certificates,
  id: (chain) => chain,
  sets: (chain) => ({ server: { tls: { certificates: chain } } }),
  proves(chain, all, evidence, registries) {
    if (entryOf(registries.protocols, "protocols", all.protocol).scheme === "http")
      return { notObservable: "without TLS there are no certificates" };
    if (!isOverQuic(all, registries)) return overTcp(chain, evidence);
    const byQuic = overQuic(chain, evidence);
    if (isWithoutTcp(all, evidence, registries) || (byQuic !== "confirmed" && "contradicts" in byQuic)) return byQuic;
    const connections = evidence.connections.filter(({ protocol }) => protocol === announcingAlpn);
    return overTcp(chain, { ...evidence, connections });
  },
});

const noCertificates = { notObservable: "a server sends no certificates when a session is resumed" };

function overTcp(chain: CertificateChain, evidence: Evidence): Verdict {
  const used = usedFlows(evidence.packets.flows);
  const full = used.filter(({ server }) => server.tls !== "resumed");
  if (used.length > 0 && full.length === 0) return noCertificates;
  const problems = full.flatMap((flow) => flowProblems(chain, flow));
  // A connection that the browser opened and never used may have ended before its handshake was complete.
  const shown = used.filter(({ server }) => server.handshakeBytes).length;
  if (problems.length || shown >= evidence.connections.length) return verdictOf(problems);
  return hidden(evidence, `${evidence.connections.length - shown} connections do not show the end of their handshake`);
}

function flowProblems(chain: CertificateChain, { name, server: { hello, handshakeBytes } }: UsedFlow): string[] {
  const { certificates, leastBytes, mostBytes } = certificateChains[chain];
  const listed = (bytes: number) => bytes + 3 * certificates; // a 3-byte length precedes each certificate
  const key = hello?.group === keyExchanges.x25519mlkem768.group ? longKeyBytes : 0;
  const outside = (bytes: number | null | undefined, least: number, most: number, what: string) =>
    bytes == null || (bytes >= least && bytes <= most)
      ? []
      : [`${name}: ${what} of ${bytes} bytes; ${chain} has ${least} to ${most}`];
  return [
    ...outside(hello?.certificateBytes, listed(leastBytes), listed(mostBytes), "certificates"),
    ...outside(handshakeBytes, leastBytes + key + otherBytes.least, mostBytes + key + otherBytes.most, "a handshake"),
  ];
}

function overQuic(chain: CertificateChain, { packets }: Evidence): Verdict {
  const least = certificateChains[chain].leastBytes + otherBytes.least;
  const used = usedQuicFlows(packets.quicFlows);
  const full = used.filter(({ server }) => server.tls !== "resumed");
  if (used.length > 0 && full.length === 0) return noCertificates;
  const short = full.filter(({ server }) => server.firstFlight.bytes < least);
  if (short.length)
    return verdictOf(
      short.map(
        ({ name, server }) => `${name}: a first flight of ${server.firstFlight.bytes} bytes; ${chain} needs ${least}`,
      ),
    );
  return chain === usualTls.certificates
    ? {
        notObservable:
          "QUIC encrypts the certificates, and may pad and retransmit its first flight: a longer chain would look the same",
      }
    : "confirmed";
}
