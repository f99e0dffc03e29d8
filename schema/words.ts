/** A number with its noun, as in "1 load" and "2 loads". @param many the plural, if it is not the word with an s */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
