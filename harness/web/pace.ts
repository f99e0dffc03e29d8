/** Observes how fast a run makes loads, for a server. The run's files do not show this, because the run may have been interrupted. */
export class Pace {
  #first: { atMs: number; loads: number } | null = null;

  /** Estimates the time for `more` loads from the loads since the first call; null without such loads. @param atMs when the last load was written */
  secondsFor(more: number, atMs: number, loads: number): number | null {
    this.#first ??= { atMs, loads };
    const { atMs: firstMs, loads: before } = this.#first;
    return loads > before ? ((atMs - firstMs) / 1000 / (loads - before)) * more : null;
  }
}
