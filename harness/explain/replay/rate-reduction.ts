/** How many packets may leave from when a loss is found to when all that was sent till then has come: PRR (RFC 6937; Linux: tcp_cwnd_reduction). */
export class RateReduction {
  readonly #prior: number;
  readonly #threshold: number;
  #delivered = 0;
  #sent = 0;

  /** @param prior the window when the loss was found @param threshold what it is to become */
  constructor(prior: number, threshold: number) {
    this.#prior = prior;
    this.#threshold = threshold;
  }

  sends(): void {
    this.#sent++;
  }

  /** @param safely more was acknowledged, and nothing else found lost @returns the window now */
  window(inFlight: number, delivered: number, safely: boolean): number {
    this.#delivered += delivered;
    const room = this.#threshold - inFlight;
    const share = Math.ceil((this.#delivered * this.#threshold) / this.#prior) - this.#sent;
    const grown = Math.max(this.#delivered - this.#sent, delivered) + (safely ? 1 : 0);
    return inFlight + Math.max(room < 0 ? share : Math.min(room, grown), this.#sent ? 0 : 1);
  }
}
