/** Finds the final targets of redirects. Each redirect is followed only once, however many URLs lead to it. */
export class Redirects {
  readonly #next: ReadonlyMap<string, string>;
  readonly #ends = new Map<string, string | null>();

  constructor(next: ReadonlyMap<string, string>) {
    this.#next = next;
  }

  /** Returns the final target; the URL itself if it is not a redirect, null for a redirect loop. */
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
