/** What has come of one direction's stream, and when it is acknowledged: as Linux does (RFC 5681, RFC 2018). */
import type { Clock } from "./clock.ts";

/** Data that leaves in one packet; the SYN is the stream's first byte. */
export interface Segment {
  start: number;
  end: number;
  frameBytes: number;
}

export interface Receipt {
  acknowledgedTo: number;
  /** Where the segments begin that came beyond that. */
  beyond: ReadonlySet<number>;
}

/** An acknowledgment waits this long for a second segment, or for data to go with. Linux: TCP_DELACK_MIN */
const delayedUs = 40_000;

export class Receiver {
  to = 0;
  readonly #clock: Clock;
  readonly #acknowledge: () => void;
  readonly #read: () => void;
  readonly #beyond = new Map<number, Segment>();
  #unacknowledged = 0;
  #timer = 0;

  /** @param acknowledge sends an acknowledgment @param read is told when more can be read */
  constructor(clock: Clock, acknowledge: () => void, read: () => void) {
    this.#clock = clock;
    this.#acknowledge = acknowledge;
    this.#read = read;
  }

  came(segment: Segment): void {
    const inOrder = segment.start <= this.to && this.#beyond.size === 0;
    const isNew = segment.end > this.to;
    if (isNew) this.#beyond.set(segment.start, segment);
    for (let next = this.#beyond.get(this.to); next; next = this.#beyond.get(this.to)) {
      this.#beyond.delete(next.start);
      this.to = next.end;
    }
    this.#unacknowledged++;
    this.#read();
    if (!inOrder || !isNew || this.#unacknowledged >= 2) this.#acknowledge();
    else {
      const timer = ++this.#timer;
      this.#clock.at(this.#clock.nowUs + delayedUs, () => {
        if (timer === this.#timer && this.#unacknowledged > 0) this.#acknowledge();
      });
    }
  }

  /** What a packet that leaves now says of it. */
  receipt(): Receipt {
    this.#unacknowledged = 0;
    return { acknowledgedTo: this.to, beyond: new Set(this.#beyond.keys()) };
  }
}
