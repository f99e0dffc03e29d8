/** How many changes are measured in fresh loads, if there is time for only some of them. */

/** Single changes: `most` are measured at most, and the search leaves time for `least`. */
export const finalists = { most: 6, least: 3 };
/** Parts of the page that are measured for what they cost, in the same way. */
const costs = { most: 5, least: 3 };
/** Pages that are measured besides them: the page as it is, and the combination. */
const others = 2;

/** The pages for which the search leaves time. @param parts how many parts of the page could be measured for what they cost */
export const reservedRows = (parts: number): number => finalists.least + Math.min(parts, costs.least) + others;

/**
 * @param best the finalists, the best first @param parts the largest first
 * @param rows the pages for which there is time
 * @returns what is measured; the best change in any case
 */
export function chooseRows(best: readonly string[], parts: readonly string[], rows: number) {
  const forParts = Math.min(parts.length, costs.least);
  const finalists = best.slice(0, Math.max(1, rows - others - forParts));
  const left = Math.max(0, rows - others - finalists.length);
  return { finalists, parts: parts.slice(0, Math.min(costs.most, left)) };
}
