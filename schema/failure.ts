/** Why an attempt at a load has no valid time. The lab decides by the `cause`; the text of `reason` is only for people. */
import { z } from "zod";

export const causeSchema = z.enum([
  /** The page had no load event by the time-out. */
  "time-out",
  /** The client gave up before the load event, because the document did not arrive completely. */
  "transfer broken",
  /** The page had loaded, but its load event cannot be read: it navigated to another page, or its scripts keep it from answering. */
  "after loading",
  /** The evidence contradicts the condition. */
  "evidence",
  /** The load could not be made or observed, so there is no evidence. */
  "not observed",
  /** The lane ended during the load, and the runner wrote the record. */
  "lane ended",
]);
export type Cause = z.infer<typeof causeSchema>;

export interface Failure {
  cause: Cause;
  reason: string;
}

interface Line {
  reason: string;
  wallMs: number;
  evidence?: unknown;
}

/** Whether the runner, not a lane, wrote the record: it has no duration, and must have no evidence, because evidence could make the load count. */
export const isOfRunner = ({ wallMs, evidence }: Line): boolean => wallMs === 0 && evidence === undefined;

/** The beginnings of the reasons that lanes gave before 2026-11-27, and the cause that each of them shows. */
const beginnings: [string, Cause][] = [
  ["timeout: not loaded after", "time-out"],
  ["after loading, ", "after loading"],
  ["evidence: ", "evidence"],
];

/**
 * Returns the cause of a record from before 2026-11-27, which has no `cause`. If a page had loaded and then gave no load event, its old record
 * gets the cause "transfer broken", because it was judged so at the time. New records have "after loading", and the load is tried again.
 */
export function causeOfOld(line: Line): Cause {
  if (line.evidence === undefined) return isOfRunner(line) ? "lane ended" : "not observed";
  return beginnings.find(([beginning]) => line.reason.startsWith(beginning))?.[1] ?? "transfer broken";
}
