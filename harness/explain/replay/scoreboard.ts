/** What a sender knows of the packets it has sent: which came, which are lost (RACK, RFC 8985; Linux: tcp_recovery.c). */
import type { Receipt, Segment } from "./receiver.ts";

export interface Sent extends Segment {
  sentUs: number;
  /** It came, beyond others that did not. */
  came: boolean;
  lost: boolean;
  again: boolean;
}

export interface News {
  came: Sent[];
  advanced: boolean;
  /** Of what was sent once and came now, the shortest; null where all had been sent again. */
  rttUs: number | null;
}

export class Scoreboard {
  /** Sent, and not acknowledged but for what lies beyond a gap. */
  out: Sent[] = [];
  acknowledgedTo = 0;
  sentTo = 0;
  /** Sent last of what came. */
  #newest = { sentUs: -1, end: 0, rttUs: 0 };

  get inFlight() {
    return this.out.reduce((sum, { came, lost }) => sum + (came || lost ? 0 : 1), 0);
  }

  get beyondGap() {
    return this.out.reduce((sum, { came }) => sum + (came ? 1 : 0), 0);
  }

  get lost(): Sent[] {
    return this.out.filter(({ lost }) => lost);
  }

  sent(segment: Segment, nowUs: number): Sent {
    const one = { ...segment, sentUs: nowUs, came: false, lost: false, again: false };
    this.out.push(one);
    this.sentTo = Math.max(this.sentTo, one.end);
    return one;
  }

  /** @param leastRttUs what comes sooner after a repetition answers what was sent before it */
  received({ acknowledgedTo, beyond }: Receipt, nowUs: number, leastRttUs: number): News {
    const came = this.out.filter((one) => !one.came && (one.end <= acknowledgedTo || beyond.has(one.start)));
    const advanced = acknowledgedTo > this.acknowledgedTo;
    this.acknowledgedTo = Math.max(this.acknowledgedTo, acknowledgedTo);
    for (const one of came) {
      one.came = true;
      const rttUs = nowUs - one.sentUs;
      if (isAfter(one, this.#newest) && (!one.again || rttUs >= leastRttUs))
        this.#newest = { sentUs: one.sentUs, end: one.end, rttUs };
    }
    this.out = this.out.filter(({ end }) => end > this.acknowledgedTo);
    const once = came.filter(({ again }) => !again).map(({ sentUs }) => nowUs - sentUs);
    return { came, advanced, rttUs: once.length ? Math.min(...once) : null };
  }

  /**
   * What was sent before something that came is lost, at once or when it had time to be overtaken.
   * @returns whether any is, and how long at most another has left
   */
  findLost(nowUs: number, patienceUs: number): { found: boolean; waitUs: number } {
    let [found, waitUs] = [false, 0];
    for (const one of this.out) {
      if (one.came || one.lost || !isAfter(this.#newest, one)) continue;
      const leftUs = this.#leftUs(one, nowUs) + patienceUs;
      if (leftUs <= 0) found = one.lost = true;
      else waitUs = Math.max(waitUs, leftUs);
    }
    return { found, waitUs };
  }

  /** The retransmission timer ran out: all is lost but what was sent less than a round trip ago. Linux: tcp_timeout_mark_lost */
  timedOut(nowUs: number): void {
    for (const [i, one] of this.out.entries())
      if (!one.came && (i === 0 || this.#leftUs(one, nowUs) <= 0)) one.lost = true;
  }

  #leftUs = ({ sentUs }: Sent, nowUs: number) => sentUs + this.#newest.rttUs - nowUs;
}

const isAfter = (a: { sentUs: number; end: number }, b: { sentUs: number; end: number }) =>
  a.sentUs > b.sentUs || (a.sentUs === b.sentUs && a.end > b.end);
