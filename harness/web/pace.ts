/** How fast a run's loads came while a server looked on: the run says no such thing of itself, for it may have rested between them. */
export class Pace {
  #first: { atMs: number; loads: number } | null = null;
  #last = { atMs: 0, loads: 0 };

  /** @param atMs when the last of so many loads was written */
  look(atMs: number, loads: number): void {
    this.#first ??= { atMs, loads };
    this.#last = { atMs, loads };
  }

  /** By how long those took that came since the first look; null before there is one. */
  secondsFor(loads: number): number | null {
    if (!this.#first || this.#last.loads <= this.#first.loads) return null;
    const { atMs, loads: before } = this.#first;
    return ((this.#last.atMs - atMs) / 1000 / (this.#last.loads - before)) * loads;
  }
}
