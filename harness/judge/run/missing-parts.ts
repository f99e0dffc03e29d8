/** Checks for parts that every run has kept since `keptSince`. If a newer run lacks a part, the part was removed afterwards. */
import { counted } from "../../../schema/words.ts";
import { planHashFile } from "../../record/plan-hash.ts";
import type { SavedRun } from "../../record/records.ts";

/** Runs since this time keep the hash of run.json and the samples of each link measurement. */
const keptSince = "2026-11-23T12:30:00.000Z";

type Run = Pick<SavedRun, "manifest" | "calibrations" | "planIsUnchanged">;

/** Whether the run began before these parts were kept. If so, their absence means nothing. */
export const isOlder = ({ manifest }: Pick<Run, "manifest">): boolean =>
  Date.parse(manifest.createdAt) < Date.parse(keptSince);

export function missingParts(run: Run): string[] {
  if (isOlder(run)) return [];
  const unsampled = run.calibrations.filter(({ samples }) => !samples).length;
  return [
    ...(unsampled ? [`${counted(unsampled, "link measurement")} without samples, which the lab always keeps`] : []),
    ...(run.planIsUnchanged() === null ? [`there is no ${planHashFile}, which the lab writes as a run begins`] : []),
  ];
}
