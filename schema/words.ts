/** Writes a number with its noun, as in "1 load" and "2 loads". @param many the plural, if it is not `one` with an s */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** The most sentences that one line of an error or a record lists. */
const mostSentences = 10;

/** Lists each sentence once, with its count, and ends with the number of sentences that do not fit. */
export function inBrief(sentences: readonly string[]): string {
  const times = new Map<string, number>();
  for (const sentence of sentences) times.set(sentence, (times.get(sentence) ?? 0) + 1);
  const shown = [...times]
    .slice(0, mostSentences)
    .map(([sentence, count]) => (count === 1 ? sentence : `${sentence} (${count} times)`));
  const more = times.size - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}
