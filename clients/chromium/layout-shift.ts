/** Unexpected shifts of a page's elements (Layout Instability, W3C), and their cumulative score as https://web.dev/articles/cls defines it. */

/** The layout shift in one rendered frame, as the browser scores it. */
export interface LayoutShift {
  atSeconds: number;
  score: number;
}

/** A session window (a group of shifts) ends when nothing has moved for one second, or after five seconds. */
const [mostGapSeconds, mostSeconds] = [1, 5];

/** Returns the largest sum of the scores in a session window. @param shifts in the order of their times */
export function cumulativeLayoutShift(shifts: readonly LayoutShift[]): number {
  let [largest, sum, first, last] = [0, 0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { atSeconds, score } of shifts) {
    const isWithin = atSeconds - last < mostGapSeconds && atSeconds - first < mostSeconds;
    sum = isWithin ? sum + score : score;
    if (!isWithin) first = atSeconds;
    last = atSeconds;
    largest = Math.max(largest, sum);
  }
  return Math.round(largest * 1e4) / 1e4;
}
