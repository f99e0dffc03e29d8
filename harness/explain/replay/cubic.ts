/**
 * How many packets Linux lets be under way by CUBIC (RFC 9438), with HyStart (Ha and Rhee 2008): net/ipv4/tcp_cubic.c, whose
 * constants these are.
 */

/** What a window shrinks to at a loss; how much CUBIC grows in a second, to the third power. */
const beta = 717 / 1024;
const scale = 0.4;

const hystart = {
  lowWindow: 16,
  /** Acknowledgments no farther apart are a train. */
  trainGapUs: 2000,
  /** So many of a round's first tell its delay. */
  samples: 8,
  /** What pacing may add to a train, at rates below 2 Gb/s. Linux: hystart_ack_delay */
  pacingUs: 1000,
  leastUs: 4000,
  mostUs: 16_000,
};

/** An acknowledgment, as its receiver sees it. */
export interface Acknowledgment {
  nowUs: number;
  /** Of the packet sent last that it acknowledges for the first time; null where all had been sent again. */
  rttUs: number | null;
  packets: number;
  acknowledgedTo: number;
  sentTo: number;
  /** The window, not the program, is what held packets back. */
  isLimited: boolean;
}

export class Cubic {
  packets: number;
  threshold = Infinity;
  readonly #hasHystart: boolean;
  #minUs = Infinity;
  #hystartEnded = false;
  #round = { endsAt: 1, startedUs: 0, lastUs: 0, leastUs: Infinity, samples: 0 };
  #epoch: { fromUs: number; origin: number; risesUs: number; reno: number; acknowledged: number } | null = null;
  #lastMax = 0;
  #credit = 0;

  constructor(initcwnd: number, hasHystart: boolean) {
    this.packets = initcwnd;
    this.#hasHystart = hasHystart;
  }

  get inSlowStart() {
    return this.packets < this.threshold;
  }

  acknowledged(ack: Acknowledgment): void {
    if (ack.rttUs !== null) {
      this.#minUs = Math.min(this.#minUs, ack.rttUs);
      if (this.#hasHystart && this.inSlowStart && !this.#hystartEnded && this.#endsSlowStart(ack, ack.rttUs)) {
        this.#hystartEnded = true;
        this.threshold = this.packets;
      }
    }
    if (!ack.isLimited) return;
    let left = ack.packets;
    if (this.inSlowStart) {
      const grown = Math.min(this.packets + left, this.threshold);
      left -= grown - this.packets;
      this.packets = grown;
    }
    if (left > 0) this.#avoidCongestion(ack.nowUs, left);
  }

  #endsSlowStart({ nowUs, acknowledgedTo, sentTo }: Acknowledgment, rttUs: number): boolean {
    if (acknowledgedTo > this.#round.endsAt)
      this.#round = { endsAt: sentTo, startedUs: nowUs, lastUs: nowUs, leastUs: Infinity, samples: 0 };
    const round = this.#round;
    if (this.packets < hystart.lowWindow) return false;
    let ends = false;
    if (nowUs - round.lastUs <= hystart.trainGapUs) {
      round.lastUs = nowUs;
      ends = nowUs - round.startedUs > (this.#minUs + hystart.pacingUs) / 2;
    }
    round.leastUs = Math.min(round.leastUs, rttUs);
    if (round.samples < hystart.samples) round.samples++;
    else {
      const growthUs = Math.min(hystart.mostUs, Math.max(hystart.leastUs, this.#minUs / 8));
      ends ||= round.leastUs > this.#minUs + growthUs;
    }
    return ends;
  }

  #avoidCongestion(nowUs: number, packets: number): void {
    this.#epoch ??= {
      fromUs: nowUs,
      origin: Math.max(this.#lastMax, this.packets),
      risesUs: 1e6 * Math.cbrt(Math.max(0, this.#lastMax - this.packets) / scale),
      reno: this.packets,
      acknowledged: 0,
    };
    const epoch = this.#epoch;
    const fromRiseS = (nowUs + this.#minUs - epoch.fromUs - epoch.risesUs) / 1e6;
    const target = epoch.origin + scale * fromRiseS ** 3;
    let each = target > this.packets ? this.packets / (target - this.packets) : 100 * this.packets;
    if (this.#lastMax === 0) each = Math.min(each, 20);
    epoch.acknowledged += packets;
    const renoEach = (this.packets * (1 + beta)) / (3 * (1 - beta));
    epoch.reno += Math.floor(epoch.acknowledged / renoEach);
    epoch.acknowledged %= renoEach;
    if (epoch.reno > this.packets) each = Math.min(each, this.packets / (epoch.reno - this.packets));
    this.#credit += packets / Math.max(2, each);
    this.packets += Math.floor(this.#credit);
    this.#credit %= 1;
  }

  /** @returns the window that a loss leaves */
  lost(): number {
    this.#lastMax = this.packets < this.#lastMax ? (this.packets * (1 + beta)) / 2 : this.packets;
    this.#epoch = null;
    this.threshold = Math.max(2, Math.floor(this.packets * beta));
    return this.threshold;
  }

  /** The retransmission timer ran out: slow start begins again, and what was known is forgotten. */
  timedOut(): void {
    this.lost();
    this.#lastMax = 0;
    this.#minUs = Infinity;
    this.#hystartEnded = false;
    this.#round = { endsAt: 1, startedUs: 0, lastUs: 0, leastUs: Infinity, samples: 0 };
    this.packets = 1;
  }

  /** After a silence of a retransmission timeout the window is not to be trusted; CUBIC's clock stood still. Linux: tcp_cwnd_restart, RFC 2861 */
  resumed(idleUs: number, timeoutUs: number, initcwnd: number): void {
    if (this.#epoch) this.#epoch.fromUs += idleUs;
    if (idleUs <= timeoutUs) return;
    if (this.threshold < Infinity) this.threshold = Math.max(this.threshold, Math.floor(0.75 * this.packets));
    const least = Math.min(initcwnd, this.packets);
    for (let us = idleUs; us > timeoutUs && this.packets > least; us -= timeoutUs)
      this.packets = Math.max(least, this.packets >> 1);
  }
}
