/** How values are distributed, in memory that does not grow with their number: counts of classes that are 2% wide. */

const classRatio = 1.02;
/** What is smaller counts as nothing. */
const smallest = 1e-3;

/** 0 for nothing; else its sign, and how many classes it lies above the smallest. */
const classOf = (value: number): number =>
  Math.abs(value) < smallest
    ? 0
    : Math.sign(value) * (1 + Math.floor(Math.log(Math.abs(value) / smallest) / Math.log(classRatio)));
export class Distribution {
  readonly #classes = new Map<number, { weight: number; sum: number }>();
  #weight = 0;
  #sum = 0;

  add(value: number, weight = 1): void {
    const index = classOf(value);
    const own = this.#classes.get(index) ?? { weight: 0, sum: 0 };
    this.#classes.set(index, { weight: own.weight + weight, sum: own.sum + value * weight });
    this.#weight += weight;
    this.#sum += value * weight;
  }

  get weight(): number {
    return this.#weight;
  }

  /** Exact; null without a value. */
  get mean(): number | null {
    return this.#weight ? this.#sum / this.#weight : null;
  }

  /** Where so much of the weight has come, within the width of a class; null without a value. */
  quantile(share: number): number | null {
    return this.curve().find((point) => point.share >= share)?.value ?? null;
  }

  /** Which share lies above a value, by its class: null without a value. */
  shareAbove(value: number): number | null {
    if (this.#weight === 0) return null;
    const limit = classOf(value);
    const above = [...this.#classes].reduce((sum, [index, { weight }]) => sum + (index > limit ? weight : 0), 0);
    return above / this.#weight;
  }

  /** The cumulative distribution: of each class that has any, the mean, so that what is one value stays it. */
  curve(): { value: number; share: number }[] {
    let come = 0;
    return [...this.#classes]
      .sort(([a], [b]) => a - b)
      .map(([, { weight, sum }]) => {
        come += weight;
        return { value: sum / weight, share: come / this.#weight };
      });
  }
}
