/** Why an attempt at a load has no valid time. Its words, the `reason`, are for people: nothing is decided by them. */
import { z } from "zod";

export const causeSchema = z.enum([
  /** The page had no load event by the time-out. */
  "time-out",
  /** The client gave the page up before its load event, because its document did not arrive whole. */
  "transfer broken",
  /** The page had loaded, but its load event can no longer be read: it went on to another page, or its scripts do not let it answer. */
  "after loading",
  /** The evidence contradicts the condition. */
  "evidence",
  /** It could not be made or observed, so that there is no evidence. */
  "not observed",
  /** Its lane ended during it: the runner wrote the line. */
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

/** Whether the runner wrote the line. Only such a line may be without a place in time, so it must have no evidence that could count. */
export const isOfRunner = ({ wallMs, evidence }: Line): boolean => wallMs === 0 && evidence === undefined;

/** How a lane before 2026-11-27 began its reason. */
const beginnings: [string, Cause][] = [
  ["timeout: not loaded after", "time-out"],
  ["after loading, ", "after loading"],
  ["evidence: ", "evidence"],
];

/**
 * The cause of a line from before 2026-11-27, which has no such field. A page that had loaded and then gave no load event is "transfer broken"
 * there, as it was judged then; new lines say "after loading", and are tried again.
 */
export function causeOfOld(line: Line): Cause {
  if (line.evidence === undefined) return isOfRunner(line) ? "lane ended" : "not observed";
  return beginnings.find(([beginning]) => line.reason.startsWith(beginning))?.[1] ?? "transfer broken";
}
