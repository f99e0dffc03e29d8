/** Finds when each byte of a stream first arrived. A retransmitted byte may arrive more than once. */

/** Bytes of a stream that arrived together: from `from` up to `to` (not included). */
export interface ArrivedRange {
  from: number;
  to: number;
  arrivedUs: number;
  /** The index of the packet that carried these bytes, among the packets of their sender. */
  place: number;
}

/** @returns ranges in stream order and without overlaps, up to the first byte that never arrived */
export function firstArrivals(arrived: readonly ArrivedRange[]): ArrivedRange[] {
  const known: ArrivedRange[] = [];
  for (const range of arrived.toSorted((a, b) => a.arrivedUs - b.arrivedUs)) addNew(known, range);
  const gap = known.findIndex(({ from }, i) => from > (known[i - 1]?.to ?? 0));
  return gap < 0 ? known : known.slice(0, gap);
}

function addNew(known: ArrivedRange[], range: ArrivedRange): void {
  let i = known.length; // most packets arrive in order, so the place for a new range is near the end
  while (i > 0 && known[i - 1]!.to > range.from) i--;
  for (let { from } = range; from < range.to; i++) {
    const next = known[i];
    const to = Math.min(range.to, next?.from ?? range.to);
    if (to > from) known.splice(i++, 0, { ...range, from, to });
    from = Math.max(from, next?.to ?? range.to);
  }
}
