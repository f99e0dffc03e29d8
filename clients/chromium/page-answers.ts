/** Questions to a page that has loaded. A page whose script loops without end does not answer. */
import { setTimeout as sleep } from "node:timers/promises";

/** For answers that normally take milliseconds, and seconds where a page computes. */
const patienceMs = 20_000;

/** @throws Error when the page has not answered in time */
export async function answered<T>(promise: Promise<T>, limitMs = patienceMs): Promise<T> {
  const late = new AbortController();
  const limit = sleep(limitMs, null, { signal: late.signal }).then(() => {
    throw new Error(
      `after loading, the page did not answer for ${limitMs / 1000} s, as where a script loops without end`,
    );
  });
  limit.catch(() => {}); // the answer came first
  promise.catch(() => {}); // it came too late
  return Promise.race([promise, limit]).finally(() => late.abort());
}
