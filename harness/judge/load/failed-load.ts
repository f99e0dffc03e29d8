/** Checks failed loads that count (observed.ts) by the rules for successful loads, as far as the evidence allows. */
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

/** @throws Error if the load has no evidence and so must not count */
export function withEvidence({ evidence, ...load }: FailedLoad): Counted {
  if (!evidence) throw new Error("a failed load without evidence was counted");
  return { ...load, evidence };
}

/** Returns the line that a refused load would have if its lane had accepted it. */
export function accepted({ reason: _, cause: __, ...line }: Counted): GoodLoad {
  return { ...line, ok: true, pageLoadMs: line.evidence.timing.loadEventStart! };
}

/**
 * Returns why a load that never ended shows nothing about its page: something was wrong with the link, the servers' queues, other programs or
 * the lab. The load's connections are not judged, because they may have ended long before the time-out.
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

/** The fields that a client reports only if the page has loaded. */
const ofLoaded = ["loadedByProtocolMs", "paint", "recordedUntil", "cumulativeLayoutShift", "slowdown"] as const;

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
  // Older lines, which have no media types, have the cause "transfer broken" even if the document had arrived.
  const isWhole = document?.mediaType !== undefined && document.status === 200 && document.endMs && !document.failed;
  return [
    ...lineProblems(line, condition, lane),
    ...expect(
      cause !== "time-out" || elapsedMs >= timeoutSeconds * 1000,
      `it was observed for ${elapsedMs} ms, but its time-out is ${timeoutSeconds} s`,
    ),
    ...expect(
      cause !== "transfer broken" || !isWhole,
      `the transfer of ${document?.path} is recorded as broken, but it is complete`,
    ),
    ...expect(wallMs >= elapsedMs, `its wall time is ${wallMs} ms, but the load took ${elapsedMs} ms`),
    ...expect(reported.length === 0, `it never ended, but its evidence has ${reported.join(", ")}`),
  ];
}
