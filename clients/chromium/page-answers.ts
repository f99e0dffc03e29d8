/** Queries to a page that has loaded. A page whose script loops forever does not answer, so there is a time limit. */
import { setTimeout as sleep } from "node:timers/promises";

/** Time limit for answers that normally take milliseconds, or seconds while the page computes. */
const patienceMs = 20_000;

/** @throws Error when the page has not answered in time */
export async function answered<T>(promise: Promise<T>, limitMs = patienceMs): Promise<T> {
  const late = new AbortController();
  const limit = sleep(limitMs, null, { signal: late.signal }).then(() => {
    throw new Error(`after loading, the page did not answer for ${limitMs / 1000} s; perhaps a script loops forever`);
  });
  limit.catch(() => {}); // prevents an unhandled rejection if the answer comes first
  promise.catch(() => {}); // the same if the page fails after the time limit
  return Promise.race([promise, limit]).finally(() => late.abort());
}
