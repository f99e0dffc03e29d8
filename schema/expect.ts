/** Returns the problem in an array if `ok` is false, else an empty array: callers spread it into their list of problems. */
export const expect = (ok: boolean, problem: string): string[] => (ok ? [] : [problem]);
