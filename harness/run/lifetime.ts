/** Handles signals while a command runs, and at its end stops everything that the command started. */
import { ExitCode, LabError } from "../../schema/errors.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface Lifetime {
  /** Aborted by Ctrl-C, or by `abort`. The reason is a LabError. */
  signal: AbortSignal;
  abort(reason: LabError): void;
  /** Registers a function that stops what was just started. When the command ends, for any reason, these functions are called in reverse order. */
  onEnd(stop: () => void): void;
}

/**
 * Runs `work`, and handles signals until everything that it started is stopped. The same signal again ends the process at once.
 * @throws the reason of the abort, if there was one, because the errors of interrupted work do not help a user
 */
export async function withLifetime<T>(work: (lifetime: Lifetime) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const stops: (() => void)[] = [];
  let failed = true;
  const interrupt = (name: NodeJS.Signals) =>
    controller.abort(new LabError(ExitCode.interrupted, `stopped by ${name === "SIGINT" ? "Ctrl-C" : name}`));
  for (const name of signals) process.once(name, interrupt);
  try {
    const result = await work({
      signal,
      abort: (reason) => controller.abort(reason),
      onEnd: (stop) => void stops.push(stop),
    });
    signal.throwIfAborted();
    failed = false;
    return result;
  } catch (error) {
    const isReason = error === signal.reason || (error as Error).cause === signal.reason;
    throw signal.aborted && !isReason ? signal.reason : error;
  } finally {
    controller.abort(); // ends work that is still running when other work has failed
    const errors = stops.reverse().flatMap(errorOf);
    for (const name of signals) process.off(name, interrupt);
    // If the work failed, its error is more useful than errors that occur while stopping.
    // biome-ignore lint/correctness/noUnsafeFinally: it replaces a result, but never an error
    if (errors.length > 0 && !failed) throw errors[0];
  }
}

export const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const name of signals) process.once(name, () => resolve());
  });

/** Returns the error instead of throwing it, so that the other stop functions are still called. */
function errorOf(stop: () => void): unknown[] {
  try {
    stop();
    return [];
  } catch (error) {
    return [error];
  }
}
