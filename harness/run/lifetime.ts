/** How long a command that starts something lives, and what is stopped when it ends. */
import { ExitCode, LabError } from "../../schema/errors.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface Lifetime {
  /** Aborted by Ctrl-C, or by `abort`. The reason is a LabError. */
  signal: AbortSignal;
  abort(reason: LabError): void;
  /** How to stop what was just started. Stops are called in reverse order, whichever way the command ends. */
  onEnd(stop: () => void): void;
}

/**
 * Handles signals from before anything is started until everything is stopped. A second signal ends the process at once.
 * @throws the reason of the abort, if there was one: what was interrupted fails with errors that tell a user nothing
 */
export async function withLifetime<T>(work: (lifetime: Lifetime) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const stops: (() => void)[] = [];
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
    return result;
  } catch (error) {
    const isReason = error === signal.reason || (error as Error).cause === signal.reason;
    throw signal.aborted && !isReason ? signal.reason : error;
  } finally {
    controller.abort(); // what still runs of work that failed
    for (const stop of stops.reverse()) stop();
    for (const name of signals) process.off(name, interrupt);
  }
}
