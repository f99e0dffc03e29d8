/** Random draws for packets. The n-th packets of all loads with the same seed share one draw, so a draw counts once for each of its packets. */
export class SharedDraws {
  /** Seed -> how many packets each of its loads has. */
  readonly #counts = new Map<number, number[]>();
  /** Packets of loads without a shared seed: each has its own draw. */
  #ownPackets = 0;
  #packets = 0;

  get packets(): number {
    return this.#packets;
  }

  /** @param seed identifies the draws that the load shares with others; null if it shares none */
  add(packets: number, seed: number | null): void {
    this.#packets += packets;
    if (seed === null) this.#ownPackets += packets;
    else this.#counts.set(seed, [...(this.#counts.get(seed) ?? []), packets]);
  }

  /**
   * The sum, over all draws, of the number of packets that share the draw, raised to `power`. With loads sorted from longest to shortest,
   * the i-th load is the i-th to share each of its draws, so each of its packets adds i^power - (i - 1)^power.
   */
  powerSum(power: number): number {
    let sum = this.#ownPackets;
    for (const counts of this.#counts.values())
      counts
        .toSorted((a, b) => b - a)
        .forEach((packets, i) => {
          sum += packets * ((i + 1) ** power - i ** power);
        });
    return sum;
  }
}
