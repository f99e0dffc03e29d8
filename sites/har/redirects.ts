/** Where redirects lead in the end. Each step is walked once, however many URLs lead to it. */
export class Redirects {
  readonly #next: ReadonlyMap<string, string>;
  readonly #ends = new Map<string, string | null>();

  /** @param next where each redirect leads */
  constructor(next: ReadonlyMap<string, string>) {
    this.#next = next;
  }

  /** The URL itself if it is not a redirect; null for a circle. */
  endOf(url: string): string | null {
    const walked = new Set<string>();
    let at = url;
    while (this.#next.has(at) && !this.#ends.has(at) && !walked.has(at)) {
      walked.add(at);
      at = this.#next.get(at)!;
    }
    const end = walked.has(at) ? null : this.#ends.has(at) ? this.#ends.get(at)! : at;
    for (const one of walked) this.#ends.set(one, end);
    return end;
  }
}
