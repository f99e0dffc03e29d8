/**
 * On the real clock the lab refuses a load during which other programs or other machines used the processor
 * (harness/judge/load/load.ts), and a run retries it. Tests retry loads too, for that reason only, and report each retry.
 */
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { loadsIn } from "../harness/record/records.ts";
import { maxAttempts } from "../harness/run/attempts.ts";
import { readProcessor } from "../observe/processor.ts";
import { ExitCode } from "../schema/errors.ts";
import type { LoadRecord } from "../schema/records.ts";
import { tolerance } from "../schema/tolerances.ts";

/** The longest wait for the machine to become idle. */
const patienceMs = 120_000;
const lookMs = 2000;

const signsOfBusyMachine = [
  "other programs took",
  "other machines \\(steal\\)",
  // These two messages mean that the user-mode shaper waited for the processor.
  "that waited for one another came in",
  "behind a full queue it takes",
  // A busy core delayed a packet that its host had captured, and the other core sent a later packet first (docs/proof.md).
  "packets were reordered on a link that keeps their order",
];

/** Whether a message names a busy processor, or effects of a busy processor on packets. */
export const isBusy = (message: string) => new RegExp(signsOfBusyMachine.join("|")).test(message);

/** Lists the reasons of loads that failed because the machine was too busy. */
export const busyReasons = (loads: readonly LoadRecord[]): string[] =>
  loads.flatMap((load) => (!load.ok && isBusy(load.reason) ? [`${load.condition}: ${load.reason}`] : []));

/**
 * Returns why a run is resumed: the machine was too busy for the run's loads or for measuring links. Resuming hides no wrong link, because a
 * link that is wrong for another reason is wrong every time. The list is empty for a run that ended in any other way.
 */
export function whyItGoesOn(code: number | string | null, folder: string): string[] {
  if (code === ExitCode.wrongLink) return ["a link was out of tolerance"];
  return code === ExitCode.loadsMissing ? whyLoadsAreMissing(folder) : [];
}

/**
 * Returns why a run with missing loads is resumed: the last reason of each missing load, if every reason names a busy
 * processor. The list is empty if there is any other reason, because more tries would hide that reason.
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
 * Makes the attempt until the machine was not too busy, at most `maxAttempts` times.
 * @param attempt makes a try; its argument is the number of earlier tries
 * @param busy returns why the machine was too busy for a try; an empty list means that it was not too busy
 * @returns the result of the last try
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

/** Waits until nothing else uses the processor, which also improves measurements of links. */
export async function quiet(): Promise<void> {
  for (const end = Date.now() + patienceMs; Date.now() < end && !(await isQuiet()); );
}

/** @returns whether the other programs on this machine leave enough of the processor for a load to be valid. The lab must do nothing meanwhile */
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
