/** One side of a connection sends what its program has written, by Linux's rules: what may be under way, and what is sent again. */
import type { Clock } from "./clock.ts";
import { Cubic } from "./cubic.ts";
import { RateReduction } from "./rate-reduction.ts";
import type { Receipt, Segment } from "./receiver.ts";
import { leastVariationUs, RoundTripTime } from "./round-trip-time.ts";
import { Scoreboard } from "./scoreboard.ts";
import { WindowUsage } from "./window-usage.ts";

/** So many later packets that came say that an earlier one is lost, unless packets overtake one another. RFC 8985, 7.2 */
const duplicateThreshold = 3;

/** Linux adds this to timers that wait for less than a second packet's acknowledgment: TCP_TIMEOUT_MIN_US */
const leastTimerUs = 2000;

export interface SenderRules {
  initcwnd: number;
  hystart: boolean;
}

export class Sender {
  readonly window: Cubic;
  readonly #clock: Clock;
  readonly #rules: SenderRules;
  readonly #emit: (segment: Segment) => void;
  readonly #rtt = new RoundTripTime();
  readonly #board = new Scoreboard();
  readonly #usage = new WindowUsage();
  #written: Segment[] = [];
  /** The furthest that the receiver has room for. */
  #roomTo = Infinity;
  /** When the last receipt that came was sent: what leaves now echoes it (RFC 7323). */
  echoUs = 0;
  #lastUs = 0;
  /** Until all that was sent when it began is acknowledged; without a reduction after a timeout, when slow start begins again. */
  #recovery: { until: number; reduction: RateReduction | null } | null = null;
  #timer = 0;
  /** A probe is on its way; with the end of what was sent again, where there was nothing new to send. */
  #probe: { until: number; repeats: boolean } | null = null;
  #backoff = 1;

  constructor(clock: Clock, rules: SenderRules, emit: (segment: Segment) => void) {
    this.#clock = clock;
    this.#rules = rules;
    this.#emit = emit;
    this.window = new Cubic(rules.initcwnd, rules.hystart);
  }

  write(segment: Segment): void {
    const isIdle = this.#board.out.length === 0 && this.#written.length === 0 && this.#lastUs > 0;
    if (isIdle) this.window.resumed(this.#clock.nowUs - this.#lastUs, this.#rtt.timeoutUs, this.#rules.initcwnd);
    this.#written.push(segment);
    this.#sendWhatMay();
  }

  received(receipt: Receipt): void {
    const { nowUs } = this.#clock;
    const board = this.#board;
    [this.echoUs, this.#roomTo] = [receipt.sentUs, receipt.roomTo];
    const { came, advanced, rttUs } = board.received(receipt, nowUs, this.#rtt.leastUs);
    this.#endProbe(receipt);
    if (came.length === 0 && !advanced) return;
    if (rttUs !== null) this.#rtt.measured(rttUs);
    this.#backoff = 1;
    const found = this.#findLost();
    this.#recover(came.length, advanced && !found);
    if (advanced && !this.#recovery?.reduction && board.acknowledgedTo > 1)
      this.window.acknowledged({
        nowUs,
        rttUs,
        packets: came.length,
        acknowledgedTo: board.acknowledgedTo,
        sentTo: board.sentTo,
        isLimited: this.#usage.limits(this.window),
      });
    this.#sendWhatMay();
    this.#arm();
  }

  /** What a probe repaired, without that both it and what it repeats came, was a loss. Linux: tcp_process_tlp_ack */
  #endProbe({ acknowledgedTo, hadTwice }: Receipt): void {
    if (!this.#probe || acknowledgedTo < this.#probe.until) return;
    const { repeats, until } = this.#probe;
    const isLoss = repeats && !hadTwice;
    if (isLoss && acknowledgedTo === until) return; // the other one may still come
    if (isLoss) this.window.packets = this.window.lost();
    this.#probe = null;
  }

  #findLost(): boolean {
    const isProven = this.#recovery || this.#board.beyondGap >= duplicateThreshold;
    const { found, waitUs } = this.#board.findLost(this.#clock.nowUs, isProven ? 0 : this.#rtt.leastUs / 4);
    if (waitUs > 0)
      this.#clock.at(this.#clock.nowUs + waitUs + leastTimerUs, () => {
        if (!this.#findLost()) return;
        this.#recover(1, false);
        this.#sendWhatMay();
        this.#arm();
      });
    return found;
  }

  #recover(delivered: number, safely: boolean): void {
    const board = this.#board;
    if (this.#recovery && board.acknowledgedTo >= this.#recovery.until) {
      if (this.#recovery.reduction) this.window.packets = this.window.threshold;
      this.#recovery = null;
    }
    if (!this.#recovery && board.lost.length > 0) {
      const prior = this.window.packets;
      this.#recovery = { until: board.sentTo, reduction: new RateReduction(prior, this.window.lost()) };
    }
    const reduction = this.#recovery?.reduction;
    if (reduction) this.window.packets = reduction.window(board.inFlight, delivered, safely);
  }

  #sendWhatMay(): void {
    const board = this.#board;
    let may = this.window.packets - board.inFlight;
    const before = may;
    for (const again of board.lost) if (may-- > 0) this.#sendAgain(again);
    may = Math.max(0, this.window.packets - board.inFlight);
    const hadMore = this.#written.length > 0;
    for (; may > 0 && this.#hasRoom(); may--) this.#sendNext();
    if (hadMore && (before > may || may === 0)) this.#usage.used(board.out.length, may === 0, board);
    if (before > may) this.#arm();
  }

  #hasRoom(): boolean {
    const [next] = this.#written;
    return next !== undefined && next.end <= this.#roomTo;
  }

  #sendNext(): void {
    this.#send(this.#board.sent(this.#written.shift()!, this.#clock.nowUs));
  }

  #sendAgain(one: ReturnType<Scoreboard["sent"]>): void {
    Object.assign(one, { lost: false, again: true, sentUs: this.#clock.nowUs });
    this.#send(one);
  }

  #send(segment: Segment): void {
    this.#lastUs = this.#clock.nowUs;
    this.#recovery?.reduction?.sends();
    this.#emit(segment);
  }

  /** A probe of the tail (RFC 8985, 7.2 to 7.4) when nothing is known to be lost; then the retransmission timer (RFC 6298). */
  #arm(): void {
    const timer = ++this.#timer;
    const { out, beyondGap } = this.#board;
    if (out.length === 0) return;
    const timeoutUs = this.#rtt.timeoutUs * this.#backoff;
    const isCalm = !this.#recovery && !this.#probe && this.#rtt.isKnown && beyondGap === 0;
    const probeUs = 2 * this.#rtt.smoothedUs + (out.length === 1 ? leastVariationUs : leastTimerUs);
    this.#clock.at(this.#clock.nowUs + (isCalm ? Math.min(probeUs, timeoutUs) : timeoutUs), () => {
      if (timer !== this.#timer) return;
      if (isCalm) this.#sendProbe();
      else this.#timeOut();
    });
  }

  #sendProbe(): void {
    const repeats = !this.#hasRoom();
    if (repeats) this.#sendAgain(this.#board.out.at(-1)!);
    else this.#sendNext();
    this.#probe = { until: this.#board.sentTo, repeats };
    this.#arm();
  }

  #timeOut(): void {
    this.#backoff *= 2;
    this.#probe = null;
    this.#recovery = { until: this.#board.sentTo, reduction: null };
    if (this.#rtt.isKnown) this.window.timedOut();
    this.#board.timedOut(this.#clock.nowUs);
    this.#sendWhatMay();
    this.#arm();
  }
}
