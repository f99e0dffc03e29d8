/** Estimates the initial congestion window of a QUIC server from its bytes in flight (RFC 9002, section 7). */

interface Sent {
  timeMs: number;
  bytes: number;
  /** The bytes in flight, including this packet. */
  inFlightBytes: number;
  /** Whether its response continues after this packet, so the server had more to send. */
  goesOn: boolean;
}

interface Acknowledged {
  timeMs: number;
  /** The bytes in flight before this acknowledgment. */
  inFlightBytes: number;
  packets: number;
  bytes: number;
}

/** A server that was stopped by its window sends within this time after the acknowledgment that it waited for. */
const atOnceMs = 0.5;
/** A server that paces also pauses between packets. A pause shows a full window only if it is longer than the longest earlier pause times this. */
const pausesLonger = 2;
/** The minimum window (RFC 9002, section 7.2). A server that waits with less in flight does not wait because of its window. */
const leastWindowPackets = 2;
/** A server's window grows only while more than this share of it is in use. Servers differ; quic-go needs the smallest share (isCwndLimited). */
const leastUse = 0.5;

/** Processes a server's sent and acknowledged packets in order, until packets are missing. */
export class QuicWindow {
  readonly #events: (Sent | Acknowledged)[] = [];
  #hasEnded = false;
  #largestBytes = 0;
  #stoppedBytes = Number.POSITIVE_INFINITY;
  #last: Sent | null = null;
  /** The first acknowledgment since the server last sent a packet, if it had more to send. */
  #waiting: Acknowledged | null = null;
  /** The longest pause due to pacing: the time between two packets of a response, if no acknowledgment came just before the second packet. */
  #longestPauseMs = 0;

  sent(packet: Sent): void {
    if (this.#hasEnded) return;
    this.#events.push(packet);
    this.#largestBytes = Math.max(this.#largestBytes, packet.bytes);
    const pauseMs = packet.timeMs - (this.#last?.timeMs ?? packet.timeMs);
    const isAnswer = this.#waiting !== null && packet.timeMs - this.#waiting.timeMs < atOnceMs;
    if (isAnswer && pauseMs > pausesLonger * this.#longestPauseMs)
      this.#stopAt(this.#waiting!.inFlightBytes + this.#largestBytes);
    else if (this.#last?.goesOn && !isAnswer) this.#longestPauseMs = Math.max(this.#longestPauseMs, pauseMs);
    this.#waiting = null;
    this.#last = packet;
  }

  #stopAt(bytes: number): void {
    if (bytes >= leastWindowPackets * this.#largestBytes) this.#stoppedBytes = Math.min(this.#stoppedBytes, bytes);
  }

  acknowledged(ack: Acknowledged): void {
    if (this.#hasEnded) return;
    this.#events.push(ack);
    if (this.#last?.goesOn) this.#waiting ??= ack;
  }

  /** Called when packets are missing, because the window may shrink from then on. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Lower bound of the initial window; null if nothing was in flight. */
  atLeastBytes(): number | null {
    const first = this.#leastBytes(0);
    if (first <= 0) return null;
    // Some servers send while any part of the window is left, so that their last packet may exceed the window.
    return Math.max(1, this.#leastBytes(first * leastUse) - this.#largestBytes + 1);
  }

  /** The fewest bytes in flight, plus one packet, at which the server waited for an acknowledgment; null if it never waited. */
  stoppedBytes(): number | null {
    return Number.isFinite(this.#stoppedBytes) ? this.#stoppedBytes : null;
  }

  /**
   * While slow start uses the window, some servers let it grow by the acknowledged bytes, others by a full packet for each acknowledged
   * packet. The initial window is at least the bytes in flight minus the largest possible growth.
   * @param limitedBytes if no more bytes than this are in flight, the window is not in use
   */
  #leastBytes(limitedBytes: number): number {
    let [grownBytes, leastBytes] = [0, 0];
    for (const event of this.#events)
      if ("packets" in event)
        grownBytes += event.inFlightBytes > limitedBytes ? event.packets * this.#largestBytes : event.bytes;
      else leastBytes = Math.max(leastBytes, event.inFlightBytes - grownBytes);
    return leastBytes;
  }
}
