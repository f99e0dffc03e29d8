import { fullFrameBytes } from "./link.ts";

/** How far a link or a load may deviate from its condition before it is invalid. All tolerances are here. */
export const tolerance = {
  /** RTT of the idle link beyond delay and serialisation, milliseconds: the calibration's median, and each load's quickest handshake. */
  rttMs: 1,
  handshakeMs: 5,
  /** No packet may be early; this covers the rounding of time stamps to 0.1 ms. A little more, because 1699.8 + 0.1 < 1699.9 in binary fractions. */
  earlyMs: 0.101,
  /** How late a single packet may be, because of a timer in the shaper's kernel or of its time stamp. */
  lateMs: 5,
  /** How late a browser may record a packet or another process's message: the length of a long task (W3C Long Tasks). */
  browserMs: 50,
  /** Chromium rounds paint times up to steps of this length. */
  paintStepMs: 4,
  /** How long a server's program may take to respond. */
  serverMs: 50,
  /** How early a server's timer may be: it counts whole milliseconds, and may start within one. */
  timerMs: 1,
  /** How many packets around a load's start and end may be of unknown origin. */
  unsurePackets: 200,
  /** The longest delay of an acknowledgment (RFC 1122, section 4.2.3.2). */
  delayedAckMs: 500,
  /** Segments of an unused connection: a TLS handshake with its certificates and tickets, without the full segments of long certificates. */
  handshakeSegments: 8,
  /** Rate of the saturated link. */
  ratePercent: 1,
  /** Bytes in each second of a saturated link, relative to its trace, beyond two packets. A real clock's timers set rates a little late. */
  tracePercent: { virtual: 1, real: 3 },
  /** TCP's goodput, relative to the rate after headers. */
  goodputPercent: 5,
  queuePackets: 1.5,
  /** Length of a long queue: it is computed from the waiting time and the rate, and is no more accurate than these. */
  queuePercent: 1,
  /** Senders wake up once a millisecond. Between two bursts, a fast link's full queue drains for up to this time, for half of it in the median. */
  probeTickMs: 1,
  /** The number of packets over which loss is counted, relative to the plan. */
  packetsPercent: 10,
  /** Standard deviations of a binomial distribution: 99.9% of correct links are within this. */
  lossDeviations: 3.3,
  /** The same over all loads of a run: one correct direction in 16,000 is outside. */
  pooledLossDeviations: 4,
  /** Ethernet frame with a full IP packet; a longer frame is a superpacket. */
  frameBytes: fullFrameBytes,
  /** How many cores other programs, and other machines (steal), may use during a load. */
  otherCores: 0.35,
  stealCores: 0.1,
  /** Share of all cores in use, above which the processor may determine the page load time; such loads are flagged. */
  busyShare: 0.95,
};
