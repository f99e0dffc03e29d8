/** What was in flight shows of the congestion window that a QUIC server began with (RFC 9002, section 7). */

interface Sent {
  timeMs: number;
  bytes: number;
  /** With this packet. */
  inFlightBytes: number;
  /** The response in it goes on: the server had more to send. */
  goesOn: boolean;
}

interface Acknowledged {
  timeMs: number;
  /** Before this acknowledgment. */
  inFlightBytes: number;
  /** How many packets were acknowledged, and their bytes. */
  packets: number;
  bytes: number;
}

/** A server that was stopped sends within this time after the acknowledgment that it waited for. */
const atOnceMs = 0.5;
/** A server that paces pauses between its packets; one that was stopped pauses longer than this many of its pauses before. */
const pausesLonger = 2;
/** No window is smaller (RFC 9002, section 7.2), so a server that waits with less in flight waits for something else. */
const leastWindowPackets = 2;
/** A window does not grow unless this share of it is in use: quic-go's isCwndLimited has the least. */
const leastUse = 0.5;

/** Is told what a server sent and what was acknowledged, in their order, until packets are missing. */
export class QuicWindow {
  readonly #events: (Sent | Acknowledged)[] = [];
  #hasEnded = false;
  #largestBytes = 0;
  #stoppedBytes = Number.POSITIVE_INFINITY;
  #last: Sent | null = null;
  /** The first acknowledgment since the last packet, if the server had more to send. */
  #waiting: Acknowledged | null = null;
  /** Between two packets of a response, when no acknowledgment came just before the second: how long the server paces. */
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

  /** Packets are missing: from now on the window may shrink. */
  end(): void {
    this.#hasEnded = true;
  }

  /** The least that the window began with; null if nothing was in flight. */
  atLeastBytes(): number | null {
    const first = this.#leastBytes(0);
    if (first <= 0) return null;
    // Some servers send while any of the window is left: then their last packet is partly beyond it.
    return Math.max(1, this.#leastBytes(first * leastUse) - this.#largestBytes + 1);
  }

  /** What was in flight, and a packet, when the server waited for an acknowledgment; null if it never did. */
  stoppedBytes(): number | null {
    return Number.isFinite(this.#stoppedBytes) ? this.#stoppedBytes : null;
  }

  /**
   * In slow start some servers let the window grow by the bytes that are acknowledged, others by a full packet for each, if it was in
   * use: it began with what was in flight less all that it can have grown.
   * @param limitedBytes with no more in flight it was not in use
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
