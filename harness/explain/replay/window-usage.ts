/** Whether it is the window that holds a sender back: a window that is not used does not grow (RFC 7661; Linux: tcp_cwnd_validate). */
export class WindowUsage {
  /** What was under way at most, until what was sent then is acknowledged. */
  #most = 0;
  #until = 0;
  #isFull = false;

  /** Something was sent, or would have been. */
  used(out: number, isFull: boolean, { acknowledgedTo, sentTo }: { acknowledgedTo: number; sentTo: number }): void {
    if (acknowledgedTo < this.#until && !isFull && (this.#isFull || out <= this.#most)) return;
    [this.#most, this.#until, this.#isFull] = [out, sentTo, isFull];
  }

  /** Slow start may reach twice what was used. */
  limits({ packets, inSlowStart }: { packets: number; inSlowStart: boolean }): boolean {
    return this.#isFull || (inSlowStart && packets < 2 * this.#most);
  }
}
