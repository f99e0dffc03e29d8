/**
 * Lists of whole numbers as their first and the steps between them: moments, bytes and blocks rise by little, and small numbers
 * that repeat pack to half. What was such a list is one still, so that nothing has to mark it.
 */
const isList = (value: unknown): value is number[] => Array.isArray(value) && value.every(Number.isSafeInteger);

export const steps = {
  /** For JSON.stringify: any other value stays as it is. */
  from: (value: unknown): unknown =>
    isList(value) ? value.map((number, i) => (i === 0 ? number : number - value[i - 1]!)) : value,
  /** For JSON.parse. */
  back(value: unknown): unknown {
    let sum = 0;
    return isList(value) ? value.map((step) => (sum += step)) : value;
  },
};
