/** Observes how fast a run makes loads, for a server. The run's files do not show this, because the run may have been interrupted. */
export class Pace {
  #first: { atMs: number; loads: number } | null = null;

  /**
   * @param more the number of remaining loads
   * @param atMs the time at which the last load was written
   * @param loads the number of loads until then
   * @returns the remaining time, estimated from the loads since the first call; null if no load was made since then
   */
  secondsFor(more: number, atMs: number, loads: number): number | null {
    this.#first ??= { atMs, loads };
    const { atMs: firstMs, loads: before } = this.#first;
    return loads > before ? ((atMs - firstMs) / 1000 / (loads - before)) * more : null;
  }
}
