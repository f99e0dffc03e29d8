/**
 * On the real clock the lab refuses a load that other programs or other machines took the processor from
 * (harness/judge/load/load.ts), and a run tries it again. A test does likewise, for that reason alone, and says so.
 */
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { loadsIn } from "../harness/record/records.ts";
import { maxAttempts } from "../harness/run/attempts.ts";
import { readProcessor } from "../observe/processor.ts";
import { ExitCode } from "../schema/errors.ts";
import type { LoadRecord } from "../schema/records.ts";
import { tolerance } from "../schema/tolerances.ts";

/** How long is waited at most for the machine to have time. */
const patienceMs = 120_000;
const lookMs = 2000;

const signsOfBusyMachine = [
  "other programs took",
  "other machines \\(steal\\)",
  // The user-mode shaper waited for the processor.
  "that waited for one another came in",
  "behind a full queue it takes",
  // A busy core held a packet after its host's capture, and the other core sent a later one (docs/proof.md).
  "packets were reordered on a link that keeps their order",
];

/** Whether a message names the processor, or what packets do when it is wanting. */
export const isBusy = (message: string) => new RegExp(signsOfBusyMachine.join("|")).test(message);

/** Why the machine was too busy for some loads: the reasons of those that failed for it. */
export const busyReasons = (loads: readonly LoadRecord[]): string[] =>
  loads.flatMap((load) => (!load.ok && isBusy(load.reason) ? [`${load.condition}: ${load.reason}`] : []));

/**
 * Why a run is made to go on: the processor was wanting for its loads, or for measuring its links, which are wrong every time
 * if it is not for that. Nothing for a run that ended in any other way.
 */
export function whyItGoesOn(code: number | string | null, folder: string): string[] {
  if (code === ExitCode.wrongLink) return ["a link was out of tolerance"];
  return code === ExitCode.loadsMissing ? whyLoadsAreMissing(folder) : [];
}

/**
 * The same for a run that ended without some of its loads: of each the last reason, when every one of them names the
 * processor; none, when another reason is among them, for then more tries would hide it.
 */
export function whyLoadsAreMissing(folder: string): string[] {
  const last = new Map<string, LoadRecord>();
  for (const load of loadsIn(folder)) {
    const key = `${load.block} ${load.condition}`;
    if (!last.get(key)?.ok) last.set(key, load);
  }
  const missing = [...last.values()].filter(({ ok }) => !ok);
  const reasons = busyReasons(missing);
  return reasons.length === missing.length ? reasons : [];
}

/**
 * Try until the machine was not too busy, or was `maxAttempts` times.
 * @param attempt given how many tries there were before
 * @param busy why the machine was too busy for what was made; empty when it was not
 * @returns what the last try made
 */
export async function again<T>(
  t: TestContext,
  attempt: (before: number) => Promise<T>,
  busy: (made: T) => readonly string[],
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const made = await attempt(tries - 1);
    const reasons = busy(made);
    if (reasons.length === 0 || tries === maxAttempts) return made;
    t.diagnostic(`try ${tries} of ${maxAttempts}, the machine was too busy: ${reasons.join(" | ")}`);
    await quiet();
  }
}

/** Waits for a moment in which nobody else needs the processor. Links are measured better then, too. */
export async function quiet(): Promise<void> {
  for (const end = Date.now() + patienceMs; Date.now() < end && !(await isQuiet()); );
}

/** Whether for a moment, in which the lab does nothing, others take no more than they may during a load. */
async function isQuiet(): Promise<boolean> {
  const before = readProcessor();
  await sleep(lookMs);
  const { busyMs, stealMs, atMs } = readProcessor();
  const elapsedMs = atMs - before.atMs;
  return (
    busyMs - before.busyMs < elapsedMs * tolerance.otherCores &&
    stealMs - before.stealMs < elapsedMs * tolerance.stealCores
  );
}
