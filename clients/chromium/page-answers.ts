/** Queries to a page that has loaded. A page whose script loops forever does not answer, so there is a time limit. */
import { setTimeout as sleep } from "node:timers/promises";

/** Time limit for answers that normally take milliseconds, or seconds while the page computes. */
export const patienceMs = 20_000;

/** @throws Error when the page has not answered in time */
export const answered = <T>(promise: Promise<T>, limitMs = patienceMs): Promise<T> =>
  inTime(
    promise,
    limitMs,
    () => new Error(`after loading, the page did not answer for ${limitMs / 1000} s; perhaps a script loops forever`),
  );

/** @throws the error that `late` returns, when the promise has not settled in time */
export function inTime<T>(promise: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  const settled = new AbortController();
  const limit = sleep(limitMs, null, { signal: settled.signal }).then(() => {
    throw late();
  });
  return Promise.race([promise, limit]).finally(() => settled.abort());
}
