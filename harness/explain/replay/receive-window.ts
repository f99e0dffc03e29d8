/** How much a client has room for, and tells its server: as Linux grows it (net/ipv4/tcp_input.c of Linux 7.2), or as it was. */

/** What a receiver knows when a segment has come. */
export interface Arrival {
  nowUs: number;
  bytes: number;
  /** When the client had sent what the segment's sender had heard of last: the timestamp that it echoes (RFC 7323). */
  echoedUs: number;
  /** All before it has come. */
  to: number;
  /** What came beyond a gap, and where the last of it ends. */
  beyondBytes: number;
  beyondTo: number;
}

export interface ReceiveWindow {
  came(arrival: Arrival): void;
  /** The furthest that may be sent, when all before `to` has come. */
  roomTo(to: number): number;
}

export const unlimited: ReceiveWindow = { came: () => {}, roomTo: () => Infinity };

/** As a trace has it, where its rules are not known. @param told by acknowledgments, in their order */
export const asTold = (told: readonly { to: number; window: number }[]): ReceiveWindow => ({
  came: () => {},
  roomTo: (to) => to + ((told.findLast((one) => one.to <= to) ?? told[0])?.window ?? Infinity),
});

/** A full segment's data; with the timestamps' bytes. */
const [segmentBytes, mostSegmentBytes] = [1448, 1460];

/** A buffer of 128 KiB (tcp_rmem), of which a full segment of 1448 bytes takes 2304. */
const ownBuffer = Math.floor((131_072 * 161) / 256);

/** Of a shorter one nothing follows. Linux: tcp_event_data_recv */
const leastBytes = 128;

/** Windows are told in such units. */
const unit = 512;

export class LinuxWindow implements ReceiveWindow {
  /** What is told at most (rcv_ssthresh), and how far the buffer lets that grow (window_clamp). */
  #threshold: number;
  #buffer = ownBuffer;
  #beyondBytes = 0;
  #roomTo = 0;
  /** What the program took in a round trip, at most; and since when the present one is counted, from where. */
  #perRound = 10 * mostSegmentBytes;
  #round: { sinceUs: number; from: number } | null = null;
  #rttUs = 0;
  #echoedUs = -1;
  /** The longest segment; before any, Linux takes it to be as long. TCP_MSS_DEFAULT */
  #longest = 536;
  readonly #from: number;

  /** @param first told when so much had come, in the handshake */
  constructor(first: { to: number; window: number }) {
    [this.#from, this.#threshold] = [first.to, first.window];
  }

  came(arrival: Arrival): void {
    const { nowUs, bytes, to, beyondBytes, beyondTo } = arrival;
    this.#round ??= { sinceUs: nowUs, from: to };
    this.#measure(arrival);
    this.#beyondBytes = beyondBytes;
    const room = this.#buffer - beyondBytes - this.#threshold;
    if (bytes >= leastBytes && to > this.#from && room > 0) this.#threshold += Math.min(room, 2 * segmentBytes);
    if (beyondBytes > 0) this.#grow(this.#perRound, beyondTo - to);
    else this.#take(nowUs, to);
  }

  /** A round trip as timestamps tell it: smoothed, or what is shorter at once. Linux: tcp_rcv_rtt_update */
  #measure({ nowUs, bytes, echoedUs, beyondBytes }: Arrival): void {
    if (echoedUs === this.#echoedUs || bytes < this.#longest) return;
    [this.#echoedUs, this.#longest] = [echoedUs, bytes];
    const us = nowUs - echoedUs;
    if (this.#rttUs === 0 || us < this.#rttUs) this.#rttUs = us;
    else if (beyondBytes === 0) this.#rttUs = 0.875 * this.#rttUs + us / 8;
  }

  /** The program takes what has come; once in a round trip it is counted. Linux: tcp_rcv_space_adjust */
  #take(nowUs: number, to: number): void {
    const { sinceUs, from } = this.#round!;
    if (this.#rttUs === 0 || nowUs - sinceUs < this.#rttUs) return;
    if (to - from > this.#perRound) this.#grow(to - from, 0);
    this.#round = { sinceUs: nowUs, from: to };
  }

  /** Room for twice what a round trip took, and for as much more as it grew. Linux: tcp_rcvbuf_grow */
  #grow(perRound: number, beyond: number): void {
    const grown = 2 * perRound + (4 * perRound * (perRound - this.#perRound)) / this.#perRound + beyond;
    this.#perRound = perRound;
    this.#buffer = Math.max(this.#buffer, Math.floor(grown));
  }

  roomTo(to: number): number {
    const window = Math.min(this.#threshold, this.#buffer - this.#beyondBytes);
    this.#roomTo = Math.max(this.#roomTo, to + unit * Math.ceil(window / unit));
    return this.#roomTo;
  }
}
