/** Decides which changes are measured in fresh loads, if there is time for only some of them. */

/** Limits for single changes: at most `most` are measured, and the search leaves time for `least`. */
export const finalists = { most: 6, least: 3 };
/** The same limits for changes that show what a part of the page costs. */
const costs = { most: 5, least: 3 };
/** Two more pages are measured: the unchanged page, and the page with the combination. */
const others = 2;

/** Returns for how many pages the search leaves time. @param parts how many parts of the page have a cost to measure */
export const reservedRows = (parts: number): number => finalists.least + Math.min(parts, costs.least) + others;

/** @param best the finalists, the best first; the first one is always chosen @param rows the number of pages for which there is time */
export function chooseRows(best: readonly string[], parts: readonly string[], rows: number) {
  const forParts = Math.min(parts.length, costs.least);
  const finalists = best.slice(0, Math.max(1, rows - others - forParts));
  const left = Math.max(0, rows - others - finalists.length);
  return { finalists, parts: parts.slice(0, Math.min(costs.most, left)) };
}
