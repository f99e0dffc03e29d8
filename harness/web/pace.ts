/** How fast a run's loads came while a server looked on: the run says no such thing of itself, for it may have rested between them. */
export class Pace {
  #first: { atMs: number; loads: number } | null = null;

  /**
   * @param atMs when the last of so many loads was written
   * @returns how long so many more take, by those that came since the first look; null before there is one
   */
  secondsFor(more: number, atMs: number, loads: number): number | null {
    this.#first ??= { atMs, loads };
    const { atMs: firstMs, loads: before } = this.#first;
    return loads > before ? ((atMs - firstMs) / 1000 / (loads - before)) * more : null;
  }
}
