/** Counts netem's random draws for packets. If loads of a block share their draws, one draw decides about the n-th packet of each load. */
export class SharedDraws {
  /** Block -> the number of packets of each of its loads. */
  readonly #counts = new Map<number, number[]>();
  /** Packets of loads that share no draws: each packet has its own draw. */
  #ownPackets = 0;
  #packets = 0;

  get packets(): number {
    return this.#packets;
  }

  /** @param block the load's block, if all loads of a block share their draws; null otherwise */
  add(packets: number, block: number | null): void {
    this.#packets += packets;
    if (block === null) this.#ownPackets += packets;
    else this.#counts.set(block, [...(this.#counts.get(block) ?? []), packets]);
  }

  /**
   * Returns the sum over all draws of n^power, where n is the number of packets that share the draw. If loads are sorted from most to fewest
   * packets, each packet of the i-th load is the i-th packet of its draw, and adds i^power - (i - 1)^power.
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
