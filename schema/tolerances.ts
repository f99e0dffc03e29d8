import { fullFrameBytes } from "./link.ts";

/** How far a link may be from what was asked for, and a load from its condition, before it is refused. The one place. */
export const tolerance = {
  /** Idle RTT beyond delay and serialisation, milliseconds: calibration's median, and each load's quickest handshake. */
  rttMs: 1,
  handshakeMs: 5,
  /** No link is faster than it should be; captures stamp in microseconds. */
  earlyMs: 0.1,
  /** What any one of a load's packets may come late, as handshakes may: by a timer of the shaper's kernel, or a capture's stamp. */
  lateMs: 5,
  /** What a browser may take from a packet, or another process's word, to its own note of it: a long task (W3C Long Tasks). */
  browserMs: 50,
  /** What a server's program may take for an answer of its own. */
  serverMs: 50,
  /** Packets of which it is not known whether they are a load's: those around its beginning and its end. */
  unsurePackets: 200,
  /** A delayed acknowledgment is sent before this (RFC 1122, section 4.2.3.2). */
  delayedAckMs: 500,
  /** Segments of a connection that was opened and not used: a TLS handshake's, with its certificates and tickets. */
  handshakeSegments: 8,
  /** Rate of the full link. */
  ratePercent: 1,
  /** TCP's goodput against what the rate allows after headers (the reference run counted it by iperf3's seconds, ±4.6%). */
  goodputPercent: 5,
  queuePackets: 1.5,
  /** Of a long queue: its length is the time behind it over the rate, and is known no better than that. */
  queuePercent: 1,
  /** iperf3 sends what belongs to a millisecond at once: within it, a fast link's full queue runs down and is filled again. */
  probeTickMs: 1,
  /** Of the packets that loss is counted over, against those that should have been sent: iperf3 sends in bursts. */
  packetsPercent: 10,
  /** Standard deviations of a binomial: 99.9% of honest links are within. */
  lossDeviations: 3.3,
  /** The same over all loads of a run: one honest direction in 16,000 is beyond. */
  pooledLossDeviations: 4,
  /** Ethernet frame with a full IP packet; a longer one is a superpacket. */
  frameBytes: fullFrameBytes,
  /** Cores' worth of time that other programs and other machines may take from a load. */
  otherCores: 0.35,
  stealCores: 0.1,
  /** Of the machine's cores in use, all told: beyond, a page load time is the processor's and not the network's. */
  busyShare: 0.95,
};
