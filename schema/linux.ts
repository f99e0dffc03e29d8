/** Linux's constants that the judgement of loads uses, and thresholds that follow from them. Paths refer to the kernel's source. */

/** The initial congestion window, segments: RFC 6928; TCP_INIT_CWND in include/net/tcp.h */
export const standardWindow = 10;

/** The most full segments that fit into a SYN's window, which is never scaled. Linux's default since 4.19; ip-sysctl, tcp_rmem */
export const unscaledSegments = 44;

/** The time without a SYN/ACK after which a SYN is retransmitted: RFC 6298, section 2.1; TCP_TIMEOUT_INIT in include/net/tcp.h */
export const initialTimeoutMs = 1000;

/** How many times Linux (since 6.5) retransmits a SYN before it begins to double the time-out: ip-sysctl, tcp_syn_linear_timeouts */
export const ownSynLinearTimeouts = 4;

/** The minimum time beyond the RTT before TCP retransmits, and before a connection counts as idle: TCP_RTO_MIN in include/net/tcp.h */
export const leastTimeoutMs = 200;

/** How many segments a receiver acknowledges before it delays ACKs: TCP_MAX_QUICKACKS in include/net/tcp.h */
export const ownQuickacks = 16;

/** Processor time is counted in ticks: USER_HZ is 100 on every architecture that the lab runs on; proc_stat(5) */
export const tickMs = 10;

/** The longest times that count as "at once". The kernel reacts to a segment sooner, so a program or timer caused any later reaction. */
export const atOnceMs = {
  /** Data after an acknowledgment, as evidence of a window: short, because data that a program sends later would look like an opened window. */
  window: 0.3,
  /** The same in the explanation of a load: longer, because every packet needs an explanation and a busy kernel may react late. */
  explained: 0.5,
  /** An acknowledgment after its segment: half of the minimum time by which Linux delays it, TCP_DELACK_MIN (40 ms) in include/net/tcp.h */
  acknowledgment: 20,
};
