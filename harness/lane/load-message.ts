/** Makes the record of a load, which is either valid, or failed with a reason. */
import type { Evidence } from "../../schema/evidence.ts";
import type { Failure } from "../../schema/failure.ts";
import type { LoadMessage } from "../../schema/lane-messages.ts";
import type { ShownWindow } from "../../schema/picture.ts";
import type { LoadRecord } from "../../schema/records.ts";
import type { Trace } from "../../schema/trace.ts";
import { inBrief } from "../../schema/words.ts";

/** What a client and the hosts observed of one load. */
export interface MadeLoad {
  failure: Failure | null;
  evidence: Evidence;
  trace: Trace | null;
  /** A picture of the browser's window; present if it was requested and the load succeeded. */
  window?: ShownWindow;
}

export type CommonFields = Omit<LoadRecord, "ok" | "pageLoadMs" | "evidence" | "reason" | "cause" | "trace">;

/** @param judge returns a sentence for each contradiction between evidence and condition */
export function loadMessage(
  common: CommonFields,
  { failure, evidence, trace }: MadeLoad,
  judge: (pageLoadMs: number) => string[],
): LoadMessage {
  const failed = ({ cause, reason }: Failure): LoadMessage => ({
    kind: "load",
    load: { ...common, ok: false, reason, evidence, cause } as LoadRecord,
  });
  const pageLoadMs = evidence.timing.loadEventStart;
  if (failure) return failed(failure);
  if (pageLoadMs === undefined) return failed({ cause: "after loading", reason: "the page has no load event" });
  const contradictions = judge(pageLoadMs);
  if (contradictions.length) return failed({ cause: "evidence", reason: `evidence: ${inBrief(contradictions)}` });
  return {
    kind: "load",
    load: { ...common, ok: true, pageLoadMs, evidence } as LoadRecord,
    ...(trace && { trace }),
  };
}
