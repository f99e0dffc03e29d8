/** A distribution whose memory does not grow with the number of values: a histogram with classes that are 2% wide. */

const classRatio = 1.02;
/** Values of a smaller magnitude count as 0. */
const smallest = 1e-3;

/** The number of a value's class: 0 if the value counts as 0, otherwise with the value's sign. A larger value never has a smaller number. */
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

  /** The exact mean; null without values. */
  get mean(): number | null {
    return this.#weight ? this.#sum / this.#weight : null;
  }

  /** A quantile, precise to the width of a class; null without values. */
  quantile(share: number): number | null {
    return this.curve().find((point) => point.share >= share)?.value ?? null;
  }

  /** The share of values in classes above the class of `value`; null without values. */
  shareAbove(value: number): number | null {
    if (this.#weight === 0) return null;
    const limit = classOf(value);
    const above = [...this.#classes].reduce((sum, [index, { weight }]) => sum + (index > limit ? weight : 0), 0);
    return above / this.#weight;
  }

  /** The cumulative distribution. Each class with values is one point, at the mean of these values. */
  curve(): { value: number; share: number }[] {
    let soFar = 0;
    return [...this.#classes]
      .sort(([a], [b]) => a - b)
      .map(([, { weight, sum }]) => {
        soFar += weight;
        return { value: sum / weight, share: soFar / this.#weight };
      });
  }
}
