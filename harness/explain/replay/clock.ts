/** A clock that goes from event to event. */
export class Clock {
  nowUs = 0;
  /** A heap: each is no later than those at twice its place and one or two on. */
  readonly #heap: { atUs: number; order: number; run(): void }[] = [];
  #order = 0;

  at(atUs: number, run: () => void): void {
    const heap = this.#heap;
    const one = { atUs: Math.max(atUs, this.nowUs), order: this.#order++, run };
    let place = heap.push(one) - 1;
    for (let parent = (place - 1) >> 1; place > 0 && isBefore(one, heap[parent]!); parent = (place - 1) >> 1) {
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = one;
  }

  /** Until it returns true, or nothing is left to do. */
  runUntil(done: () => boolean): void {
    while (this.#heap.length && !done()) {
      const next = this.#takeFirst();
      this.nowUs = next.atUs;
      next.run();
    }
  }

  #takeFirst() {
    const heap = this.#heap;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (child >= heap.length || isBefore(last, heap[child]!)) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = last;
    return first;
  }
}

const isBefore = (a: { atUs: number; order: number }, b: { atUs: number; order: number }) =>
  a.atUs < b.atUs || (a.atUs === b.atUs && a.order < b.order);
