/** One side of a connection sends what its program has written, by Linux's rules: what may be under way, and what is sent again. */
import type { Clock } from "./clock.ts";
import { Cubic } from "./cubic.ts";
import type { Receipt, Segment } from "./receiver.ts";
import { RoundTripTime } from "./round-trip-time.ts";

interface Sent extends Segment {
  sentUs: number;
  /** It came, beyond others that did not. */
  came: boolean;
  lost: boolean;
  again: boolean;
}

/** So many later packets that came say that an earlier one is lost, unless packets overtake one another. RFC 8985, 7.2 */
const duplicateThreshold = 3;

const leastTimeoutUs = 200_000;

export interface SenderRules {
  initcwnd: number;
  hystart: boolean;
  /** The furthest that the receiver has room for, once so much is acknowledged. */
  roomTo(acknowledgedTo: number): number;
}

export class Sender {
  readonly window: Cubic;
  readonly #clock: Clock;
  readonly #rules: SenderRules;
  readonly #emit: (segment: Segment) => void;
  readonly #rtt = new RoundTripTime();
  #written: Segment[] = [];
  #underWay: Sent[] = [];
  #acknowledgedTo = 0;
  #sentTo = 0;
  #lastUs = 0;
  /** Sent last of what came. */
  #newest = { sentUs: -1, end: 0, rttUs: 0 };
  /** Until what was sent when it began is acknowledged. */
  #recovery: { kind: "fast" | "timeout"; until: number; prior: number; delivered: number; sent: number } | null = null;
  /** Linux's tcp_is_cwnd_limited: what was under way at most in this window. */
  #usage = { until: 0, most: 0, isLimited: false };
  #timer = 0;
  #probed = false;
  #backoff = 1;

  constructor(clock: Clock, rules: SenderRules, emit: (segment: Segment) => void) {
    this.#clock = clock;
    this.#rules = rules;
    this.#emit = emit;
    this.window = new Cubic(rules.initcwnd, rules.hystart);
  }

  write(segment: Segment): void {
    const idleUs = this.#clock.nowUs - this.#lastUs;
    if (this.#underWay.length === 0 && this.#lastUs > 0 && this.#written.length === 0) this.#restart(idleUs);
    this.#written.push(segment);
    this.#sendWhatMay();
  }

  /** After a silence of a retransmission timeout the window is not to be trusted. Linux: tcp_cwnd_restart, RFC 2861 */
  #restart(idleUs: number): void {
    const least = Math.min(this.#rules.initcwnd, this.window.packets);
    for (let us = idleUs; us > this.#rtt.timeoutUs && this.window.packets > least; us -= this.#rtt.timeoutUs)
      this.window.packets = Math.max(least, this.window.packets >> 1);
  }

  received({ acknowledgedTo, beyond }: Receipt): void {
    const { nowUs } = this.#clock;
    const came = this.#underWay.filter((one) => !one.came && (one.end <= acknowledgedTo || beyond.has(one.start)));
    const advanced = acknowledgedTo > this.#acknowledgedTo;
    this.#acknowledgedTo = Math.max(this.#acknowledgedTo, acknowledgedTo);
    for (const one of came) {
      one.came = true;
      const isNewest =
        one.sentUs > this.#newest.sentUs || (one.sentUs === this.#newest.sentUs && one.end > this.#newest.end);
      if (isNewest && (!one.again || nowUs - one.sentUs >= this.#rtt.leastUs))
        this.#newest = { sentUs: one.sentUs, end: one.end, rttUs: nowUs - one.sentUs };
    }
    this.#underWay = this.#underWay.filter(({ end }) => end > this.#acknowledgedTo);
    if (came.length === 0 && !advanced) return;
    const first = came.filter(({ again }) => !again);
    const rttUs = first.length ? nowUs - Math.max(...first.map(({ sentUs }) => sentUs)) : null;
    if (rttUs !== null) this.#rtt.measured(rttUs);
    this.#backoff = 1;
    const found = this.#findLost();
    this.#recover(came.length, advanced && !found);
    if (advanced || !this.#recovery)
      if (this.#recovery?.kind !== "fast" && this.#acknowledgedTo > 1)
        this.window.acknowledged({
          nowUs,
          rttUs,
          packets: came.length,
          acknowledgedTo: this.#acknowledgedTo,
          sentTo: this.#sentTo,
          isLimited: this.window.inSlowStart ? this.window.packets < 2 * this.#usage.most : this.#usage.isLimited,
        });
    if (advanced) this.#probed = false;
    this.#sendWhatMay();
    this.#arm();
  }

  get #inFlight() {
    return this.#underWay.reduce((sum, { came, lost }) => sum + (came || lost ? 0 : 1), 0);
  }

  /** RACK (RFC 8985): what was sent before something that came is lost, at once or when it had time to be overtaken. */
  #findLost(): boolean {
    const beyond = this.#underWay.reduce((sum, { came }) => sum + (came ? 1 : 0), 0);
    const patienceUs = this.#recovery || beyond >= duplicateThreshold ? 0 : this.#rtt.leastUs / 4;
    const { sentUs, end, rttUs } = this.#newest;
    let [found, waitUs] = [false, 0];
    for (const one of this.#underWay) {
      if (one.came || one.lost || one.sentUs > sentUs || (one.sentUs === sentUs && one.end >= end)) continue;
      const leftUs = one.sentUs + rttUs + patienceUs - this.#clock.nowUs;
      if (leftUs <= 0) found = one.lost = true;
      else waitUs = Math.max(waitUs, leftUs);
    }
    if (waitUs > 0)
      this.#clock.at(this.#clock.nowUs + waitUs, () => {
        if (!this.#findLost()) return;
        this.#recover(0, false);
        this.#sendWhatMay();
        this.#arm();
      });
    return found;
  }

  /** Proportional rate reduction (RFC 6937), from when a loss is found to when all that was sent till then has come. */
  #recover(delivered: number, safely: boolean): void {
    if (this.#recovery && this.#acknowledgedTo >= this.#recovery.until) {
      if (this.#recovery.kind === "fast") this.window.packets = this.window.threshold;
      this.#recovery = null;
    }
    if (!this.#recovery && this.#underWay.some(({ lost }) => lost)) {
      this.#recovery = { kind: "fast", until: this.#sentTo, prior: this.window.packets, delivered: 0, sent: 0 };
      this.window.lost();
    }
    const recovery = this.#recovery;
    if (recovery?.kind !== "fast") return;
    recovery.delivered += delivered;
    const inFlight = this.#inFlight;
    const room = this.window.threshold - inFlight;
    const share = Math.ceil((recovery.delivered * this.window.threshold) / recovery.prior) - recovery.sent;
    const grown = Math.max(recovery.delivered - recovery.sent, delivered) + (safely ? 1 : 0);
    const may = Math.max(room < 0 ? share : Math.min(room, grown), recovery.sent ? 0 : 1);
    this.window.packets = inFlight + may;
  }

  #sendWhatMay(): void {
    let inFlight = this.#inFlight;
    const before = inFlight;
    let isLimited = false;
    const lost = this.#underWay.filter((one) => one.lost);
    for (;;) {
      const again = lost[0];
      const next = again ?? this.#written[0];
      if (!next) break;
      if (inFlight >= this.window.packets) {
        isLimited = true;
        break;
      }
      if (!again && next.end > this.#rules.roomTo(this.#acknowledgedTo)) break;
      if (again) {
        lost.shift();
        Object.assign(again, { lost: false, again: true });
        this.#send(again);
      } else this.#sendNext();
      inFlight++;
    }
    const { nowUs } = this.#clock;
    const out = this.#underWay.length;
    if (this.#acknowledgedTo >= this.#usage.until || isLimited || (!this.#usage.isLimited && out > this.#usage.most))
      this.#usage = { until: this.#sentTo, most: out, isLimited };
    if (inFlight > before) {
      this.#lastUs = nowUs;
      this.#arm();
    }
  }

  #sendNext(): void {
    const next: Sent = { ...this.#written.shift()!, sentUs: 0, came: false, lost: false, again: false };
    this.#underWay.push(next);
    this.#sentTo = Math.max(this.#sentTo, next.end);
    this.#send(next);
  }

  #send(one: Sent): void {
    one.sentUs = this.#clock.nowUs;
    if (this.#recovery?.kind === "fast") this.#recovery.sent++;
    this.#emit(one);
  }

  /** A probe of the tail (RFC 8985, 7.2 to 7.4) when nothing is known to be lost; then the retransmission timer (RFC 6298). */
  #arm(): void {
    const timer = ++this.#timer;
    if (this.#underWay.length === 0) return;
    const { nowUs } = this.#clock;
    const timeoutUs = this.#rtt.timeoutUs * this.#backoff;
    const isCalm = !this.#recovery && !this.#probed && this.#rtt.isKnown && !this.#underWay.some(({ came }) => came);
    const probeUs = 2 * this.#rtt.smoothedUs + (this.#underWay.length === 1 ? leastTimeoutUs : 0);
    this.#clock.at(nowUs + (isCalm ? Math.min(probeUs, timeoutUs) : timeoutUs), () => {
      if (timer !== this.#timer) return;
      if (isCalm) this.#probe();
      else this.#timeOut();
    });
  }

  #probe(): void {
    this.#probed = true;
    const next = this.#written[0];
    if (next && next.end <= this.#rules.roomTo(this.#acknowledgedTo)) this.#sendNext();
    else {
      const last = this.#underWay.at(-1)!;
      last.again = true;
      this.#send(last);
    }
    this.#arm();
  }

  #timeOut(): void {
    this.#backoff *= 2;
    this.#recovery = { kind: "timeout", until: this.#sentTo, prior: 0, delivered: 0, sent: 0 };
    if (this.#rtt.isKnown) this.window.timedOut();
    for (const one of this.#underWay) if (!one.came) one.lost = true;
    this.#sendWhatMay();
    this.#arm();
  }
}
