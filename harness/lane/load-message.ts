/** The record of a load: valid, or failed with a reason. */
import type { Evidence } from "../../schema/evidence.ts";
import type { LoadMessage } from "../../schema/lane-messages.ts";
import type { LoadRecord } from "../../schema/records.ts";
import type { Trace } from "../../schema/trace.ts";

/** What a client and the hosts observed of one load. */
export interface MadeLoad {
  problem: string | null;
  evidence: Evidence;
  trace: Trace | null;
}

/** The fields of each load's record, whether it counts or not. */
export type CommonFields = Omit<LoadRecord, "ok" | "pageLoadMs" | "evidence" | "reason" | "trace">;

/** @param judge how the evidence contradicts the condition, in words */
export function loadMessage(
  common: CommonFields,
  { problem, evidence, trace }: MadeLoad,
  judge: (pageLoadMs: number) => string[],
): LoadMessage {
  const failed = (reason: string): LoadMessage => ({
    kind: "load",
    load: { ...common, ok: false, reason, evidence } as LoadRecord,
  });
  const pageLoadMs = evidence.timing.loadEventStart;
  if (problem) return failed(problem);
  if (pageLoadMs === undefined) return failed("the page has no load event");
  const contradictions = judge(pageLoadMs);
  if (contradictions.length) return failed(`evidence: ${contradictions.join("; ")}`);
  return {
    kind: "load",
    load: { ...common, ok: true, pageLoadMs, evidence } as LoadRecord,
    ...(trace && { trace }),
  };
}
