/** Failed loads that count (observed.ts) are checked like all others, as far as their evidence goes: no cause excuses a line. */
import { judgeAxis } from "../../../axes/axis.ts";
import { setsLink } from "../../../axes/link-values.ts";
import { axes } from "../../../axes/registry.ts";
import { expect } from "../../../schema/expect.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { FailedLoad, GoodLoad, Lane } from "../../../schema/records.ts";
import type { Manifest } from "../../record/manifest.ts";
import { lineProblems } from "./load.ts";

type Counted = FailedLoad & Pick<GoodLoad, "evidence">;

/** @throws Error without evidence: such a load does not count */
export function withEvidence({ evidence, ...load }: FailedLoad): Counted {
  if (!evidence) throw new Error("a failed load without evidence was counted");
  return { ...load, evidence };
}

/** A load that its lane refused, as if the lane had accepted it. */
export function accepted({ reason: _, cause: __, ...line }: Counted): GoodLoad {
  return { ...line, ok: true, pageLoadMs: line.evidence.timing.loadEventStart! };
}

/**
 * What contradicts a load that never ended: its line, its waiting time, or the link. Its page is not judged, because it did not arrive
 * completely.
 */
export function unfinishedProblems(
  { reason: _, cause, ...line }: Counted,
  condition: Condition,
  { registries, timeoutSeconds }: Pick<Manifest, "registries" | "timeoutSeconds">,
  lane: Lane | undefined,
): string[] {
  const { wallMs, evidence } = line;
  const { elapsedMs } = evidence.processor;
  const ofLink = axes.filter((axis) => setsLink(axis, condition));
  return [
    ...lineProblems(line, condition, lane),
    ...expect(
      cause !== "time-out" || elapsedMs >= timeoutSeconds * 1000,
      `it was observed for ${elapsedMs} ms, but its time-out is ${timeoutSeconds} s`,
    ),
    ...expect(wallMs >= elapsedMs, `its wall time is ${wallMs} ms, but the load took ${elapsedMs} ms`),
    ...ofLink.flatMap((axis) => {
      const verdict = judgeAxis(axis, condition.values, evidence, registries);
      return typeof verdict === "object" && "contradicts" in verdict ? verdict.contradicts : [];
    }),
  ];
}
