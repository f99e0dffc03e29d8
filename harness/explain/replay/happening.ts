/** What comes when all that it waits for has come, and so much later. */
import type { Clock } from "./clock.ts";

export class Happening {
  readonly #clock: Clock;
  readonly #laterUs: number;
  readonly #run: () => void;
  readonly #next: Happening[] = [];
  #missing = 0;
  /** When it happened; null until then. */
  atUs: number | null = null;

  constructor(clock: Clock, laterUs: number, run: () => void = () => {}) {
    this.#clock = clock;
    this.#laterUs = Math.max(0, laterUs);
    this.#run = run;
  }

  get happened() {
    return this.atUs !== null;
  }

  after(causes: readonly Happening[]): this {
    for (const cause of new Set(causes)) {
      if (cause.happened) continue;
      this.#missing++;
      cause.#next.push(this);
    }
    if (this.#missing === 0) this.comes();
    return this;
  }

  /** Runs at the same moment, or now if that is past. */
  calls(run: () => void): void {
    new Happening(this.#clock, 0, run).after([this]);
  }

  /** Nothing is missing any more. */
  comes(): void {
    this.#clock.at(this.#clock.nowUs + this.#laterUs, () => {
      this.atUs = this.#clock.nowUs;
      this.#run();
      for (const one of this.#next) if (--one.#missing === 0) one.comes();
    });
  }
}
