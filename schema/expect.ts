/** What is wrong if `ok` does not hold, in words: to be spread into a list of problems. */
export const expect = (ok: boolean, problem: string): string[] => (ok ? [] : [problem]);
