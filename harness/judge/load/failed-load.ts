/** Failed loads that count (observed.ts) are checked like all others, as far as their evidence goes: no cause excuses a line. */
import { judgeAxis } from "../../../axes/axis.ts";
import { axes } from "../../../axes/registry.ts";
import type { Evidence } from "../../../schema/evidence.ts";
import { expect } from "../../../schema/expect.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { FailedLoad, GoodLoad, Lane } from "../../../schema/records.ts";
import type { Registries } from "../../../schema/registries.ts";
import { documentRequests } from "./document.ts";
import { labProblems, lineProblems, processorProblems } from "./load.ts";

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
 * Why a load that never ended says nothing about its page: the link, the servers' queues, other programs or the lab were not as they
 * should be. What its connections show is not judged: they may have ended long before the time-out.
 */
export const disturbances = (evidence: Evidence, { values }: Condition, registries: Registries): string[] => [
  ...axes.flatMap((axis) => {
    const verdict = axis.shownByAnyLoad ? judgeAxis(axis, values, evidence, registries) : "confirmed";
    return typeof verdict === "object" && "contradicts" in verdict ? verdict.contradicts : [];
  }),
  ...expect(evidence.packets.missedFrames === 0, `captures missed ${evidence.packets.missedFrames} frames`),
  ...evidence.packets.foreign.slice(0, 1).map((packet) => `foreign traffic: ${packet}`),
  ...processorProblems(evidence.processor),
  ...labProblems(evidence),
];

/** What a client reports only of a page that has loaded. */
const ofLoaded = ["loadedByProtocolMs", "paint", "recordedUntil", "cumulativeLayoutShift", "slowdown"] as const;

/** What contradicts the line of a load that never ended. */
export function unfinishedProblems(
  { reason: _, cause, ...line }: Counted,
  condition: Condition,
  timeoutSeconds: number,
  lane: Lane | undefined,
): string[] {
  const { wallMs, evidence } = line;
  const { elapsedMs } = evidence.processor;
  const reported = ofLoaded.filter((name) => evidence[name] !== undefined);
  const document = documentRequests(evidence.connections.flatMap(({ requests }) => requests)).at(-1);
  // Older lines have this cause for loads whose document had arrived, too; they have no media types.
  const isWhole = document?.mediaType !== undefined && document.status === 200 && document.endMs && !document.failed;
  return [
    ...lineProblems(line, condition, lane),
    ...expect(
      cause !== "time-out" || elapsedMs >= timeoutSeconds * 1000,
      `it was observed for ${elapsedMs} ms, but its time-out is ${timeoutSeconds} s`,
    ),
    ...expect(
      cause !== "transfer broken" || !isWhole,
      `the transfer of ${document?.path} is said to have broken, but it is complete`,
    ),
    ...expect(wallMs >= elapsedMs, `its wall time is ${wallMs} ms, but the load took ${elapsedMs} ms`),
    ...expect(reported.length === 0, `it never ended, but its evidence has ${reported.join(", ")}`),
  ];
}
