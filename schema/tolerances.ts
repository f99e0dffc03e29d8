import { fullFrameBytes } from "./link.ts";

/** How far a link or a load may deviate from its condition before it is invalid. All tolerances are here. */
export const tolerance = {
  /** How far the idle link's RTT may be from delay plus serialisation: a calibration's median, and a load's quickest handshake (`handshakeMs`). */
  rttMs: 1,
  handshakeMs: 5,
  /** How early a packet may be: 0.1 ms by rounding, and 0.001 ms for binary fractions, in which 1699.8 + 0.1 < 1699.9. */
  earlyMs: 0.101,
  /** How late a single packet may be, because a timer in the shaper's kernel or the packet's time stamp may be late. */
  lateMs: 5,
  /** How late a browser may record a packet or a message of another process. This is the length of a long task (W3C Long Tasks). */
  browserMs: 50,
  /** Chromium rounds paint times up to steps of this length. */
  paintStepMs: 4,
  /** How long a server's program may take to respond. */
  serverMs: 50,
  /** How early a server's timer may expire, because it counts whole milliseconds and may start in the middle of a millisecond. */
  timerMs: 1,
  /** How many packets near a load's start and end may either belong to the load or not. */
  unsurePackets: 200,
  /** The longest delay of an acknowledgment (RFC 1122, section 4.2.3.2). */
  delayedAckMs: 500,
  /** The most segments of a connection without requests: a TLS handshake and tickets, without the full segments of long certificates. */
  handshakeSegments: 8,
  /** Rate of the saturated link. */
  ratePercent: 1,
  /** Bytes in each second of a saturated link, relative to its trace, plus `packetsOff` packets. A real clock's timers set rates a little late. */
  tracePercent: { virtual: 1, real: 3 },
  /** TCP's goodput, relative to the rate after headers. */
  goodputPercent: 5,
  queuePackets: 1.5,
  /** Length of a long queue. It is computed from the waiting time and the rate, so it is no more accurate than these two. */
  queuePercent: 1,
  /** The time between two wake-ups of a sender. A fast link's full queue drains for up to this time between two bursts; half of it in the median. */
  probeTickMs: 1,
  /** The number of packets over which loss is counted, relative to the plan. */
  packetsPercent: 10,
  /** Standard deviations of a binomial distribution: 99.9% of correct links are within this. */
  lossDeviations: 3.3,
  /** Standard deviations for the loss over all loads of a run: one correct direction in 16,000 is outside. */
  pooledLossDeviations: 4,
  /** Ethernet frame with a full IP packet; a longer frame is a superpacket. */
  frameBytes: fullFrameBytes,
  /** How many cores other programs, and other machines (steal), may use during a load. */
  otherCores: 0.35,
  stealCores: 0.1,
  /** If a larger share of all cores is in use during a load, the processor may determine the page load time, and the load is flagged. */
  busyShare: 0.95,
};
