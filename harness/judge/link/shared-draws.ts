/** What chance was drawn for packets of loads that share a seed: their n-th packets have one draw together, so it counts as often. */
export class SharedDraws {
  /** Seed -> how many packets each of its loads has. */
  readonly #counts = new Map<number, number[]>();
  /** Of loads that share with none, each packet has a draw of its own. */
  #ownPackets = 0;
  #packets = 0;

  get packets(): number {
    return this.#packets;
  }

  /** @param seed what the load shares with others; null if it shares nothing */
  add(packets: number, seed: number | null): void {
    this.#packets += packets;
    if (seed === null) this.#ownPackets += packets;
    else this.#counts.set(seed, [...(this.#counts.get(seed) ?? []), packets]);
  }

  /**
   * The sum over all draws of the number of packets that have it, to this power. Sorted by length, the i-th longest load is the i-th that
   * has each of its draws: it adds i^power - (i - 1)^power.
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
