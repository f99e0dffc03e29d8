/** Linux: tcp_rto_min */
export const leastVariationUs = 200_000;

/** What a sender knows of the round trip (RFC 6298). */
export class RoundTripTime {
  leastUs = Infinity;
  smoothedUs = 0;
  #variationUs = 0;

  get isKnown() {
    return this.smoothedUs > 0;
  }

  get timeoutUs() {
    return this.isKnown ? this.smoothedUs + Math.max(leastVariationUs, 4 * this.#variationUs) : 1_000_000;
  }

  measured(us: number): void {
    this.leastUs = Math.min(this.leastUs, us);
    this.#variationUs = this.isKnown ? 0.75 * this.#variationUs + 0.25 * Math.abs(us - this.smoothedUs) : us / 2;
    this.smoothedUs = this.isKnown ? 0.875 * this.smoothedUs + us / 8 : us;
  }
}
