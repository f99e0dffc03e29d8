/** What has come of one direction's stream, and when it is acknowledged: as Linux does (RFC 5681, RFC 2018). */
import type { Clock } from "./clock.ts";
import { type ReceiveWindow, unlimited } from "./receive-window.ts";

/** Data that leaves in one packet; the SYN is the stream's first byte. */
export interface Segment {
  start: number;
  end: number;
  frameBytes: number;
}

export interface Receipt {
  /** When it left. */
  sentUs: number;
  acknowledgedTo: number;
  /** How far there is room. */
  roomTo: number;
  /** Where the segments begin that came beyond that, and where the last of them ends; the same where there is none. */
  beyond: ReadonlySet<number>;
  beyondTo: number;
  /** Something came that had come before (RFC 2883). */
  hadTwice: boolean;
  /** Of a packet without data that says so. */
  frameBytes: number;
}

/** Ethernet, IPv4 and TCP with timestamps; each of at most three blocks of what came beyond a gap takes eight bytes (RFC 2018). */
const [acknowledgmentBytes, blocksBytes, blockBytes, mostBlocks] = [66, 4, 8, 3];

/** An acknowledgment waits this long for a second segment, or for data to go with. Linux: TCP_DELACK_MIN */
const delayedUs = 40_000;

/** While there is a gap, so many acknowledgments leave at once, then one for all that comes within this. Linux: tcp_comp_sack_delay_ns */
const [atOnce, compressedUs] = [3, 1000];

export class Receiver {
  to = 0;
  readonly #clock: Clock;
  readonly #acknowledgesSyn: boolean;
  readonly #acknowledge: () => void;
  readonly #read: () => void;
  readonly #window: ReceiveWindow;
  readonly #beyond = new Map<number, Segment>();
  #unacknowledged = 0;
  #timer = 0;
  #hadTwice = false;
  /** Acknowledgments of what came beyond a gap that begins there. */
  #atGap = { to: 0, acknowledgments: 0 };

  /** @param answers it has asked for the connection, and so acknowledges a SYN at once @param acknowledge sends an acknowledgment @param read is told when more can be read */
  constructor(clock: Clock, answers: boolean, acknowledge: () => void, read: () => void, window = unlimited) {
    this.#clock = clock;
    this.#acknowledgesSyn = answers;
    this.#acknowledge = acknowledge;
    this.#read = read;
    this.#window = window;
  }

  /** @param echoedUs when the last receipt that its sender had was sent */
  came(segment: Segment, echoedUs = 0): void {
    const [before, hadGap, isNew] = [this.to, this.#beyond.size > 0, segment.end > this.to];
    if (!isNew || this.#beyond.has(segment.start)) this.#hadTwice = true;
    else this.#beyond.set(segment.start, segment);
    for (let next = this.#beyond.get(this.to); next; next = this.#beyond.get(this.to)) {
      this.#beyond.delete(next.start);
      this.to = next.end;
    }
    this.#unacknowledged++;
    this.#window.came({ nowUs: this.#clock.nowUs, bytes: segment.end - segment.start, echoedUs, ...this.#state() });
    this.#read();
    const isAnswered = segment.start === 0 && this.#acknowledgesSyn;
    if (isAnswered || this.#hadTwice || (hadGap && this.to > before)) this.#acknowledge();
    else if (this.#beyond.size > 0) this.#acknowledgeGap();
    else if (this.#unacknowledged >= 2) this.#acknowledge();
    else this.#acknowledgeWithin(delayedUs);
  }

  #state() {
    let [beyondBytes, beyondTo] = [0, this.to];
    for (const { start, end } of this.#beyond.values()) {
      beyondBytes += end - start;
      beyondTo = Math.max(beyondTo, end);
    }
    return { to: this.to, beyondBytes, beyondTo };
  }

  #acknowledgeGap(): void {
    if (this.#atGap.to !== this.to) this.#atGap = { to: this.to, acknowledgments: 0 };
    if (this.#atGap.acknowledgments++ < atOnce) this.#acknowledge();
    else this.#acknowledgeWithin(compressedUs);
  }

  #acknowledgeWithin(us: number): void {
    if (this.#unacknowledged > 1) return; // that of the first goes for all
    const timer = ++this.#timer;
    this.#clock.at(this.#clock.nowUs + us, () => {
      if (timer === this.#timer && this.#unacknowledged > 0) this.#acknowledge();
    });
  }

  /** What a packet that leaves now says of it. */
  receipt(): Receipt {
    const hadTwice = this.#hadTwice;
    this.#timer++;
    [this.#unacknowledged, this.#hadTwice] = [0, false];
    const frameBytes = acknowledgmentBytes + this.#blocksBytes(hadTwice);
    const roomTo = this.#window.roomTo(this.to);
    const beyond = new Set(this.#beyond.keys());
    const { beyondTo } = this.#state();
    return { sentUs: this.#clock.nowUs, acknowledgedTo: this.to, roomTo, beyond, beyondTo, hadTwice, frameBytes };
  }

  #blocksBytes(hadTwice: boolean): number {
    const ends = new Set([...this.#beyond.values()].map(({ end }) => end));
    const runs = [...this.#beyond.keys()].filter((start) => !ends.has(start)).length + (hadTwice ? 1 : 0);
    return runs === 0 ? 0 : blocksBytes + blockBytes * Math.min(mostBlocks, runs);
  }
}
