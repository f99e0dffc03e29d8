/** The problem if `ok` is false, else nothing: to be spread into a list of problems. */
export const expect = (ok: boolean, problem: string): string[] => (ok ? [] : [problem]);
